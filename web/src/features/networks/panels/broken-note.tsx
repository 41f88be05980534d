import { WarningOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useScreenStore } from '../editor/screen.ts'
import { useEditor } from '../editor/use-editor.ts'
import panel from './panel.module.css'

/** In the place of what needs a network without mistakes. */
export function BrokenNote() {
  const { t } = useTranslation('dripe-panels')
  const screen = useScreenStore()
  const count = useEditor(({ resolved }) => resolved.errors.length)
  return (
    <div className={panel.quiet}>
      <WarningOutlined className={panel.quietIcon ?? ''} aria-hidden />
      <strong>{t('broken.title')}</strong>
      <span>{t('broken.text', { count })}</span>
      <Button size="small" onClick={() => screen.getState().openTab('problems')}>
        {t('bar.showProblems')}
      </Button>
    </div>
  )
}
