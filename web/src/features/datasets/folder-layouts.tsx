import { FileImageOutlined, FolderFilled } from '@ant-design/icons'
import type { Task } from '@neuroloom/contract/task'
import { useTranslation } from 'react-i18next'
import styles from './folder-layouts.module.css'

/** What a right folder looks like, drawn: for one task, or for all of them where the task is not known. */
export function FolderLayouts({ task }: { task: Task | null }) {
  const { t } = useTranslation('datasets')
  return (
    <section className={styles.layouts} aria-label={t('layout.title')}>
      <h4>{t('layout.title')}</h4>
      <div>
        {task !== 'segmentation' && <ClassFolders />}
        {task !== 'classification' && <ImagesAndMasks />}
      </div>
    </section>
  )
}

function ClassFolders() {
  const { t } = useTranslation('datasets')
  return (
    <figure className={styles.layout}>
      <figcaption>{t('layout.classes')}</figcaption>
      <Folder name={t('layout.folder')}>
        <Folder name={t('layout.classOne')} hint={t('layout.isClass')}>
          <Files names={['001.png', '002.png', '…']} />
        </Folder>
        <Folder name={t('layout.classTwo')} hint={t('layout.isClass')}>
          <Files names={['101.png', '102.png', '…']} />
        </Folder>
      </Folder>
    </figure>
  )
}

function ImagesAndMasks() {
  const { t } = useTranslation('datasets')
  return (
    <figure className={styles.layout}>
      <figcaption>{t('layout.masks')}</figcaption>
      <Folder name={t('layout.folder')}>
        <Folder name="images" hint={t('layout.isImages')}>
          <Files names={['001.png', '002.png', '…']} />
        </Folder>
        <Folder name="masks" hint={t('layout.isMasks')}>
          <Files names={['001.png', '002.png', '…']} />
        </Folder>
      </Folder>
    </figure>
  )
}

function Folder({ name, hint, children }: { name: string; hint?: string; children: React.ReactNode }) {
  return (
    <div className={styles.folder}>
      <span>
        <FolderFilled aria-hidden /> <b>{name}</b> {hint && <small>{hint}</small>}
      </span>
      <div className={styles.inside}>{children}</div>
    </div>
  )
}

function Files({ names }: { names: string[] }) {
  return (
    <span className={styles.files}>
      {names.map((name) => (
        <span key={name}>
          {name !== '…' && <FileImageOutlined aria-hidden />} {name}
        </span>
      ))}
    </span>
  )
}
