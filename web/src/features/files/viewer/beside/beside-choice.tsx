import { kindOf } from '@neuroloom/contract/file-kinds'
import type { Entry } from '@neuroloom/contract/files'
import { imageViews } from '@neuroloom/contract/image-view'
import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { nameOf } from '../../series-files.ts'
import styles from './beside.module.css'

type File = Pick<Entry, 'id' | 'name' | 'series'>
type ChoiceProps = {
  files: readonly File[]
  own: string
  chosen: readonly string[]
  onChange: (ids: string[]) => void
}

/** Which other images of the folder stand beside this one. */
export function BesideChoice({ files, own, chosen, onChange }: ChoiceProps) {
  const { t } = useTranslation('viewer')
  const others = files.filter(({ id, name }) => id !== own && mayBeImage(name))
  // Named by an address, but not on this page of the folder.
  const unseen = chosen.filter((id) => !others.some((one) => one.id === id))
  if (others.length + unseen.length === 0) return null
  return (
    <Select<string[]>
      mode="multiple"
      className={styles.choice ?? ''}
      aria-label={t('beside.choose')}
      placeholder={t('beside.choose')}
      maxCount={imageViews.beside - 1}
      maxTagCount={1}
      allowClear
      optionFilterProp="label"
      placement="topLeft"
      value={[...chosen]}
      onChange={onChange}
      options={[
        ...others.map((one) => ({ value: one.id, label: nameOf(one) })),
        ...unseen.map((id) => ({ value: id, label: t('beside.elsewhere') })),
      ]}
    />
  )
}

/** Names without an ending are often slices. */
function mayBeImage(name: string): boolean {
  const type = name.toLowerCase().split('.').slice(1).at(-1) ?? ''
  const kind = kindOf({ name, type })
  return kind === 'image' || kind === 'volume' || type === ''
}
