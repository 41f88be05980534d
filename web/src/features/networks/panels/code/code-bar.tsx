import { CopyOutlined, DownloadOutlined } from '@ant-design/icons'
import { Button, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../../lib/toast.ts'
import { saveText } from '../save-file.ts'
import styles from './code.module.css'

/** What stands in the bar whichever text is shown. */
export type Around = { choice: ReactNode; close: ReactNode }

type Props = Around & {
  /** null: there is nothing to take yet. */
  text: string | null
  fileName: string
  fileType: string
  children?: ReactNode
}

/** Above a text: which one, copy it, save it. */
export function CodeBar({ choice, close, text, fileName, fileType, children }: Props) {
  const { t } = useTranslation('dripe-panels')
  const copy = async () => {
    if (text === null) return
    const isCopied = await copyText(text)
    if (isCopied) toast.success(t('code.copied'))
    else toast.warning(t('code.notCopied'))
  }
  return (
    <div className={styles.bar}>
      {choice}
      <div className={styles.tools}>
        {children}
        <Tooltip title={t('code.copy')}>
          <Button
            size="small"
            type="text"
            icon={<CopyOutlined aria-hidden />}
            aria-label={t('code.copy')}
            disabled={text === null}
            onClick={() => void copy()}
          />
        </Tooltip>
        <Tooltip title={t('code.download', { name: fileName })}>
          <Button
            size="small"
            type="text"
            icon={<DownloadOutlined aria-hidden />}
            aria-label={t('code.download', { name: fileName })}
            disabled={text === null}
            onClick={() => text !== null && saveText(fileName, text, fileType)}
          />
        </Tooltip>
        {close}
      </div>
    </div>
  )
}

/** Without https (a hospital's own network) browsers offer no clipboard. */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard === undefined) return false
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
