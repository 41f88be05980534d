import { DeleteOutlined, PaperClipOutlined } from '@ant-design/icons'
import { market as limits } from '@neuroloom/contract/limits'
import { Button } from 'antd'
import { type ComponentType, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './market.module.css'

export type ChosenFile = { id: string; name: string }

/** How own files of the cloud are chosen, which belongs to the files. */
export type FilePicker = ComponentType<{
  title: string
  onPick: (files: ChosenFile[]) => void
  onClose: () => void
}>

type Props = {
  label: string
  help: string
  /** Of the button, and of the dialog that it opens. */
  choose?: string
  /** How many of them go. */
  most?: number
  files: readonly ChosenFile[]
  Picker: FilePicker
  onChange: (files: ChosenFile[]) => void
}

/** Files by reference: chosen in the cloud, taken off again here. */
export function FileField(props: Props) {
  const { t } = useTranslation('market')
  const { label, help, choose = t('file.choose'), most = limits.files, files, Picker, onChange } = props
  const [isOpen, setOpen] = useState(false)
  const isFull = files.length >= most
  return (
    <div className={styles.field}>
      <span className={styles.label}>{label}</span>
      <ul className={styles.files} aria-label={label}>
        {files.map(({ id, name }) => (
          <li key={id} className={styles.line}>
            <PaperClipOutlined aria-hidden />
            <span>{name}</span>
            <Button
              type="text"
              size="small"
              icon={<DeleteOutlined aria-hidden />}
              aria-label={t('file.remove', { name })}
              onClick={() => onChange(files.filter((one) => one.id !== id))}
            />
          </li>
        ))}
      </ul>
      <div>
        <Button disabled={isFull} onClick={() => setOpen(true)}>
          {choose}
        </Button>
      </div>
      <p className={styles.help}>{help}</p>
      {isOpen && (
        <Picker
          title={choose}
          onPick={(picked) => {
            setOpen(false)
            const known = new Set(files.map(({ id }) => id))
            onChange([...files, ...picked.filter(({ id }) => !known.has(id))].slice(0, most))
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
