import { useTranslation } from 'react-i18next'
import { helpKeys } from '../features/files/viewer/use-view-keys.ts'
import styles from './shortcut-sheet.module.css'

/** Every key that the viewer has for any kind of image. */
const all = helpKeys({ slices: true, time: true, cine: true, planes: true })

export function ViewerKeys() {
  const { t } = useTranslation('viewer')
  return (
    <dl className={styles.keys}>
      {all.map(({ keys, deed }) => (
        <div key={deed}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{t(`help.${deed}`)}</dd>
        </div>
      ))}
    </dl>
  )
}
