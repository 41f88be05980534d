import {
  FileExcelOutlined,
  FileImageOutlined,
  FileOutlined,
  FilePdfOutlined,
  FileTextOutlined,
  FileZipOutlined,
  FolderFilled,
  PlaySquareOutlined,
} from '@ant-design/icons'
import type { Entry } from '@neuroloom/contract/files'
import { useState } from 'react'
import { isImage, isScan } from './file-kind.ts'
import styles from './file-picture.module.css'

/** A folder's sign, a picture's thumbnail, or the sign of a file's kind. */
export function FilePicture({
  entry,
  size,
}: {
  entry: Pick<Entry, 'id' | 'kind' | 'type' | 'thumbnail'> & { name?: string }
  size: 'small' | 'large'
}) {
  // Links change with every answer; a thumbnail once loaded is kept, and only a broken one is replaced.
  const [shown, setShown] = useState(entry.thumbnail)
  const [broken, setBroken] = useState<string | null>(null)
  const link = shown !== null && shown !== broken ? shown : entry.thumbnail
  const hasPicture = link !== null && link !== broken
  return (
    <span className={styles.picture} data-size={size} data-kind={entry.kind}>
      {hasPicture ? (
        <img
          src={link}
          alt=""
          loading="lazy"
          decoding="async"
          onLoad={() => setShown(link)}
          onError={() => setBroken(link)}
        />
      ) : (
        <Sign entry={entry} />
      )}
    </span>
  )
}

function Sign({ entry }: { entry: Pick<Entry, 'kind' | 'type'> & { name?: string } }) {
  if (entry.kind === 'folder') return <FolderFilled aria-hidden />
  if (isImage(entry) || isScan(entry)) return <FileImageOutlined aria-hidden />
  const Icon = signs[entry.type] ?? FileOutlined
  return <Icon aria-hidden />
}

const signs: Record<string, typeof FileOutlined> = {
  pdf: FilePdfOutlined,
  zip: FileZipOutlined,
  gz: FileZipOutlined,
  mp4: PlaySquareOutlined,
  mov: PlaySquareOutlined,
  webm: PlaySquareOutlined,
  mkv: PlaySquareOutlined,
  avi: PlaySquareOutlined,
  csv: FileExcelOutlined,
  xlsx: FileExcelOutlined,
  txt: FileTextOutlined,
  json: FileTextOutlined,
  md: FileTextOutlined,
}
