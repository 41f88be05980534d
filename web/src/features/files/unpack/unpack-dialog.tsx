import type { Entry } from '@neuroloom/contract/files'
import type { TextEncoding } from '@neuroloom/contract/names/encodings'
import { Modal } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../../lib/query.ts'
import { NameReading } from '../upload/name-reading.tsx'
import { useUnpackArchive } from './use-unpacks.ts'

type UnpackDialogProps = { entry: Pick<Entry, 'id' | 'name'>; onClose: () => void }

/** Has an archive unpacked; asks before only where its names can be read in more ways than one. */
export function UnpackDialog({ entry: { id, name }, onClose }: UnpackDialogProps) {
  const { t } = useTranslation('uploads')
  const unpack = useUnpackArchive()
  const query = useCall('files/archiveNames', { id }, { quiet: true })
  const [chosen, setChosen] = useState<TextEncoding | null>(null)
  const samples = query.data?.samples ?? null
  const isPlain = query.isError || (query.data !== undefined && samples === null)
  useEffect(() => {
    // What else is wrong with the archive is told by unpacking it.
    if (!isPlain) return
    unpack(id, null)
    onClose()
  }, [isPlain, unpack, id, onClose])
  if (samples === null) return null
  const value = chosen ?? samples.guess
  return (
    <Modal
      open
      centered
      width={520}
      title={t('names.title', { name })}
      okText={t('unpack.menu')}
      cancelText={t('names.cancel')}
      onOk={() => {
        unpack(id, value === samples.guess ? null : value)
        onClose()
      }}
      onCancel={onClose}
    >
      <p>{t('names.text')}</p>
      <NameReading samples={samples} value={value} onChange={setChosen} />
    </Modal>
  )
}
