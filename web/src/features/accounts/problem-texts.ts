import type { FormProblem } from '@neuroloom/contract/accounts/form-rules'
import { useTranslation } from 'react-i18next'

/** Turns problems into the sentences that stand below their fields. */
export function useProblemTexts() {
  const { t } = useTranslation('common')
  return <Name extends string>(
    problems: Partial<Record<Name, FormProblem>>,
  ): Partial<Record<Name, string>> => {
    const texts = Object.entries<FormProblem | undefined>(problems).flatMap(([name, problem]) =>
      problem ? [[name, t(`form.${problem}`)]] : [],
    )
    // The same names, with texts.
    return Object.fromEntries(texts) as Partial<Record<Name, string>>
  }
}
