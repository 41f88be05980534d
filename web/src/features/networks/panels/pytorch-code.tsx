import { CodeOutlined } from '@ant-design/icons'
import { pytorchCode } from '@neuroloom/contract/network/code'
import type { Plan } from '@neuroloom/contract/network/plan'
import { Button } from 'antd'
import { lazy, type ReactNode, use, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useScreenStore } from '../editor/screen.ts'
import { useEditor } from '../editor/use-editor.ts'
import styles from './code.module.css'
import { CodeBar } from './code-bar.tsx'
import panel from './panel.module.css'
import { loadPytorchTexts } from './pytorch-texts.ts'

const CodeEditor = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }))

/** The network as a program of its own, written anew with every change. */
export function PytorchCode({ choice }: { choice: ReactNode }) {
  const plan = useEditor(({ resolved }) => resolved.plan)
  return plan === null ? <NotYet choice={choice} /> : <Program plan={plan} choice={choice} />
}

function Program({ plan, choice }: { plan: Plan; choice: ReactNode }) {
  const { t } = useTranslation('dripe-panels')
  const name = useEditor(({ file }) => file.name)
  const texts = use(loadPytorchTexts())
  const text = useMemo(() => pytorchCode(plan, { name, texts }), [plan, name, texts])
  return (
    <>
      <CodeBar choice={choice} text={text} fileName={`${name}.py`} fileType="text/x-python" />
      <div className={styles.editor}>
        <CodeEditor value={text} language="python" label={t('code.pytorchLabel')} isReadOnly />
      </div>
    </>
  )
}

function NotYet({ choice }: { choice: ReactNode }) {
  const { t } = useTranslation('dripe-panels')
  const screen = useScreenStore()
  return (
    <>
      <CodeBar choice={choice} text={null} fileName="" fileType="" />
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
