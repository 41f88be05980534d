import { CloudUploadOutlined } from '@ant-design/icons'
import type { FlowRunDetail } from '@neuroloom/contract/flow/run-calls'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { CallError, tellFailure } from '../../../lib/api.ts'
import { useAction } from '../../../lib/query.ts'
import styles from './run.module.css'

const refresh = ['files/list'] as const

/** The angiogram in a folder of its own, on which vessels can be drawn; the mask as a file. */
export function CloudCopies({ detail: { run, study } }: { detail: FlowRunDetail }) {
  const { t } = useTranslation('flow-run')
  const angiogram = useAction('flow/keepFile', { refresh })
  const mask = useAction('flow/keepFile', { refresh })
  const makeFolder = useAction('files/createFolder', { refresh, quiet: true })
  const draw = async () => {
    const name = t('downloads.folder', { name: study.name, number: run.number })
    const folder = await freeFolder(name, (free) => makeFolder.mutateAsync({ parentId: null, name: free }))
    angiogram.mutate({ runId: run.id, kind: 'flow_angiogram', folderId: folder.id })
  }
  const folderId = angiogram.variables?.folderId ?? null
  return (
    <ul className={styles.copies}>
      <li>
        <Button
          icon={<CloudUploadOutlined />}
          loading={makeFolder.isPending || angiogram.isPending}
          onClick={() => void draw().catch(tellFailure)}
        >
          {t('downloads.draw')}
        </Button>
        {angiogram.data && folderId !== null ? (
          <Link to={`/labelling?new&${new URLSearchParams({ folder: folderId, name: study.name })}`}>
            {t('downloads.label', { name: angiogram.data.name })}
          </Link>
        ) : (
          <span className={styles.soft}>{t('downloads.drawText')}</span>
        )}
      </li>
      <li>
        <Button
          icon={<CloudUploadOutlined />}
          loading={mask.isPending}
          onClick={() => mask.mutate({ runId: run.id, kind: 'flow_mask', folderId: null })}
        >
          {t('downloads.keepMask')}
        </Button>
        {mask.data && (
          <Link to={`/cloudFile?${new URLSearchParams({ file: mask.data.fileId })}`}>
            {t('downloads.maskKept', { name: mask.data.name })}
          </Link>
        )}
      </li>
    </ul>
  )
}

/** A folder of this name, with a number where the name is taken. */
async function freeFolder<Folder>(name: string, make: (name: string) => Promise<Folder>): Promise<Folder> {
  const plain = name.replace(/[\\/:*?"<>|]+/g, ' ')
  for (let number = 1; ; number++) {
    try {
      return await make(number === 1 ? plain : `${plain} (${number})`)
    } catch (error) {
      const isTaken = error instanceof CallError && error.name === 'name_taken'
      if (!isTaken || number >= MOST) throw error
    }
  }
}

/** Whoever puts a run there so often has lost count. */
const MOST = 50
