import { FolderOpenOutlined, HomeOutlined, RightOutlined } from '@ant-design/icons'
import { Breadcrumb, Button, Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { useCall } from '../../lib/query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import styles from './folder-choice.module.css'

type Props = { open: boolean; isBusy: boolean; onChoose: (folderId: string) => void; onClose: () => void }

/** Walks through the cloud's folders until one is chosen as a data set. */
export function FolderChoice({ open, isBusy, onChoose, onClose }: Props) {
  const { t } = useTranslation('runs')
  const [folderId, setFolderId] = useState<string | null>(null)
  const query = useCall('files/list', { folderId }, { enabled: open, keepPrevious: true, quiet: true })
  const folders = query.data?.entries.filter(({ kind }) => kind === 'folder') ?? []
  const here = query.data?.folder ?? null
  return (
    <Modal
      open={open}
      title={t('folder.title')}
      onCancel={onClose}
      okText={here ? t('folder.use', { name: here.name }) : t('folder.useNone')}
      okButtonProps={{ disabled: here === null || query.isPlaceholderData, loading: isBusy }}
      onOk={() => here && onChoose(here.id)}
      destroyOnHidden
    >
      <p className={styles.lead}>{t('folder.lead')}</p>
      <Breadcrumb
        className={styles.path ?? ''}
        items={[
          { key: '', title: <Step name={t('folder.top')} isTop onOpen={() => setFolderId(null)} /> },
          ...(query.data?.path ?? []).map(({ id, name }) => ({
            key: id,
            title: <Step name={name} onOpen={() => setFolderId(id)} />,
          })),
        ]}
      />
      {query.isError ? <ErrorState error={query.error} retry={() => void query.refetch()} /> : null}
      {query.isPending ? <Loading count={3} /> : null}
      <ul className={styles.folders}>
        {folders.map(({ id, name, fileCount }) => (
          <li key={id}>
            <button type="button" className={styles.folder} onClick={() => setFolderId(id)}>
              <FolderOpenOutlined aria-hidden />
              <span className={styles.name}>{name}</span>
              <span className={styles.count}>
                {t('folder.files', { count: fileCount, value: formatNumber(fileCount, 0) })}
              </span>
              <RightOutlined aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      {query.data && folders.length === 0 ? (
        <p className={styles.lead}>{here ? t('folder.noneBelow') : t('folder.none')}</p>
      ) : null}
    </Modal>
  )
}

function Step({ name, isTop = false, onOpen }: { name: string; isTop?: boolean; onOpen: () => void }) {
  return (
    <Button type="link" size="small" className={styles.step ?? ''} onClick={onOpen}>
      {isTop ? <HomeOutlined aria-hidden /> : null} {name}
    </Button>
  )
}
