import { market as limits } from '@neuroloom/contract/limits'
import type { Provider } from '@neuroloom/contract/market/provider'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../lib/api.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import styles from './market.module.css'
import { WordsField } from './words-field.tsx'

const lists = ['services', 'regions', 'languages'] as const
type ListName = (typeof lists)[number]

/** What a provider says of itself; lists one thing a line. */
export function ProviderDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const { t } = useTranslation('market')
  const [introduction, setIntroduction] = useState(provider.introduction)
  const [texts, setTexts] = useState<Record<ListName, string>>({
    services: provider.services.join('\n'),
    regions: provider.regions.join('\n'),
    languages: provider.languages.join('\n'),
  })
  const save = useAction('provider/save', {
    quiet: true,
    refresh: ['provider/detail', 'provider/list'],
    onDone: () => toast.success(t('provider.saved')),
  })
  const said = {
    services: linesOf(texts.services),
    regions: linesOf(texts.regions),
    languages: linesOf(texts.languages),
  }
  const isLong = lists.some(
    (name) => said[name].length > limits.lines || said[name].some((line) => line.length > limits.lineLength),
  )
  return (
    <SaveDialog
      width={560}
      title={t('provider.edit')}
      isDisabled={isLong}
      onSave={async () => save.mutateAsync({ introduction: introduction.trim(), ...said })}
      onClose={onClose}
    >
      <div className={styles.form}>
        <WordsField
          id="provider-introduction"
          label={t('provider.introduction')}
          text={introduction}
          maxLength={limits.textLength}
          rows={3}
          onText={setIntroduction}
        />
        {lists.map((name) => (
          <WordsField
            key={name}
            id={`provider-${name}`}
            label={t(`provider.${name}`)}
            help={t(`provider.${name}Help`)}
            text={texts[name]}
            maxLength={limits.lines * (limits.lineLength + 1)}
            rows={2}
            onText={(text) => setTexts({ ...texts, [name]: text })}
          />
        ))}
        {isLong && (
          <p role="alert" className={styles.problem}>
            {t('provider.tooLong', { lines: limits.lines, signs: limits.lineLength })}
          </p>
        )}
        {save.error && (
          <p role="alert" className={styles.problem}>
            {messageOf(save.error)}
          </p>
        )}
      </div>
    </SaveDialog>
  )
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
