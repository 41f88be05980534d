import { DownloadOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CallError, call, NetworkError } from '../../../lib/api.ts'
import { LostPart } from '../../../lib/bring.ts'
import { toast } from '../../../lib/toast.ts'
import { useIsNarrow } from '../../../ui/hooks/use-media.ts'
import { type EditorStore, textOf } from '../editor/store.ts'
import { useEditor, useEditorStore } from '../editor/use-editor.ts'
import styles from './download.module.css'
import { pngOf } from './png-of.ts'
import { saveFile, saveText } from './save-file.ts'
import { NotSaved, whenSaved } from './when-saved.ts'

type Format = 'svg' | 'png' | 'yaml' | 'pytorch'

/** Takes the network away: as a picture, as text, as a program. */
export const DownloadMenu = memo(function DownloadMenu() {
  const { t } = useTranslation(['dripe-panels', 'common'])
  const store = useEditorStore()
  const mayDownload = useEditor(({ file }) => file.mayDownloadPicture)
  const isBroken = useEditor(({ resolved }) => resolved.plan === null)
  const isNarrow = useIsNarrow()
  const [isBusy, setIsBusy] = useState(false)
  const label = (format: Format, note: string | null) => (
    <span className={styles.item}>
      <span>{t(`download.${format}`)}</span>
      {note === null ? null : <span className={styles.note}>{note}</span>}
    </span>
  )
  const broken = isBroken ? t('download.broken') : null
  const pictureNote = mayDownload ? broken : t('download.level')
  const items = [
    { key: 'png', label: label('png', pictureNote), disabled: pictureNote !== null },
    { key: 'svg', label: label('svg', pictureNote), disabled: pictureNote !== null },
    { key: 'yaml', label: label('yaml', null) },
    { key: 'pytorch', label: label('pytorch', broken), disabled: broken !== null },
  ]
  const handleClick = async (format: string) => {
    setIsBusy(true)
    try {
      await save(store, format)
    } catch (error) {
      if (error instanceof NotSaved) toast.warning(t('save.first'))
      // The call tells itself what it was refused.
      else if (!(error instanceof CallError))
        toast.error(t(isLost(error) ? 'common:part.lost' : 'common:part.broken'))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Dropdown menu={{ items, onClick: ({ key }) => void handleClick(key) }} trigger={['click']}>
      <Button
        size="small"
        type="text"
        icon={<DownloadOutlined aria-hidden />}
        loading={isBusy}
        aria-label={t('download.button')}
      >
        {isNarrow ? null : t('download.button')}
      </Button>
    </Dropdown>
  )
})

const isLost = (error: unknown): boolean => error instanceof LostPart || error instanceof NetworkError

async function save(store: EditorStore, format: string): Promise<void> {
  const state = store.getState()
  const { name, id } = state.file
  if (format === 'yaml') return saveText(`${name}.yaml`, textOf(state), 'application/yaml')
  if (format === 'pytorch') {
    const { plan } = state.resolved
    if (plan === null) return
    const { programOf } = await import('./code/pytorch-program.ts')
    return saveText(`${name}.py`, await programOf(plan, name), 'text/x-python')
  }
  // The server draws what it has saved, and knows who may have it.
  await whenSaved(store)
  const picture = await call('networks/picture', { id })
  if (format === 'png') return saveFile(`${name}.png`, await pngOf(picture))
  saveText(`${name}.svg`, picture.svg, 'image/svg+xml')
}
