import { Modal } from 'antd'
import { FileView } from '../viewer/file-view.tsx'
import viewer from '../viewer/viewer.module.css'
import type { Opened } from './conversion-item.tsx'
import styles from './convert.module.css'

/** What came out of a conversion, large. */
export function ResultDialog({ result, onClose }: { result: Opened; onClose: () => void }) {
  return (
    <Modal
      open
      centered
      width={1200}
      className={viewer.dialog ?? ''}
      title={<span className={styles.title}>{result.name}</span>}
      footer={null}
      onCancel={onClose}
    >
      <FileView key={result.id} entry={result} />
    </Modal>
  )
}
