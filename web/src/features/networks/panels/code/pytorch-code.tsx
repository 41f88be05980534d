import { CodeOutlined } from '@ant-design/icons'
import { pytorchCode } from '@neuroloom/contract/network/code/code'
import type { Plan } from '@neuroloom/contract/network/resolve/plan'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { lazyPart } from '../../../../ui/lazy-part.tsx'
import { useScreenStore } from '../../editor/screen.ts'
import { useEditor } from '../../editor/use-editor.ts'
import panel from '../panel.module.css'
import styles from './code.module.css'
import { type Around, CodeBar } from './code-bar.tsx'
import { loadPytorchTexts } from './pytorch-texts.ts'

const PythonEditor = lazyPart(async () => (await import('./python-editor.tsx')).PythonEditor)

/** The network as a program of its own, written anew with every change. */
export function PytorchCode({ choice, close }: Around) {
  const plan = useEditor(({ resolved }) => resolved.plan)
  return plan === null ? (
    <NotYet choice={choice} close={close} />
  ) : (
    <Program plan={plan} choice={choice} close={close} />
  )
}

function Program({ plan, choice, close }: Around & { plan: Plan }) {
  const { t } = useTranslation('dripe-panels')
  const name = useEditor(({ file }) => file.name)
  const {
    data: texts,
    error,
    refetch,
  } = useQuery({
    queryKey: ['pytorch texts'],
    queryFn: loadPytorchTexts,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const text = useMemo(
    () => (texts === undefined ? null : pytorchCode(plan, { name, texts })),
    [plan, name, texts],
  )
  return (
    <>
      <CodeBar choice={choice} close={close} text={text} fileName={`${name}.py`} fileType="text/x-python" />
      <div className={styles.editor}>
        {error === null ? null : <ErrorState error={error} retry={() => void refetch()} />}
        {text === null ? null : <PythonEditor value={text} label={t('code.pytorchLabel')} isReadOnly />}
      </div>
    </>
  )
}

function NotYet({ choice, close }: Around) {
  const { t } = useTranslation('dripe-panels')
  const screen = useScreenStore()
  return (
    <>
      <CodeBar choice={choice} close={close} text={null} fileName="" fileType="" />
      <div className={panel.quiet}>
        <CodeOutlined className={panel.quietIcon ?? ''} aria-hidden />
        <strong>{t('code.notYet')}</strong>
        <span>{t('code.notYetText')}</span>
        <Button size="small" onClick={() => screen.getState().openTab('problems')}>
          {t('bar.showProblems')}
        </Button>
      </div>
    </>
  )
}
