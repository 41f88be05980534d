import { Alert, Button, Modal, Progress } from 'antd'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { saveBlob } from '../../../../lib/download.ts'
import styles from '../viewer.module.css'
import type { Exporting } from './exporting.ts'
import { useMaking } from './use-making.ts'
import { vtkBundle } from './vtk-bundle.ts'

/** The study for ParaView: begins at once, and closes when the file is there. */
export function VtkDialog({ seen, onClose }: { seen: Exporting; onClose: () => void }) {
  const { t } = useTranslation('flow-view')
  const { making, start } = useMaking()
  const begin = () =>
    start({
      make: (onProgress, signal) => vtkBundle({ ...{ seen, onProgress, signal }, ...seen }),
      onMade: (blob) => {
        saveBlob(`${seen.source.name}-vtk.zip`, blob)
        onClose()
      },
    })
  const first = useRef(begin)
  useEffect(() => void first.current(), [])
  return (
    <Modal
      open
      centered
      width={460}
      title={t('vtk.title')}
      onCancel={onClose}
      footer={[
        ...(making.state === 'failed'
          ? [
              <Button key="again" type="primary" onClick={() => void begin()}>
                {t('failed.again')}
              </Button>,
            ]
          : []),
        <Button key="stop" onClick={onClose}>
          {t('export.cancel')}
        </Button>,
      ]}
    >
      <div className={styles.stack}>
        <p>{t('vtk.about')}</p>
        {making.state === 'making' && (
          <Progress percent={Math.floor(100 * making.share)} aria-label={t('vtk.title')} />
        )}
        {making.state === 'failed' && <Alert type="error" showIcon title={t('vtk.failed')} />}
      </div>
    </Modal>
  )
}
