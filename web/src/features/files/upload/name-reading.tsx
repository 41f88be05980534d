import type { TextEncoding } from '@neuroloom/contract/names/encodings'
import type { NameSamples } from '@neuroloom/contract/names/stored-names'
import { Select } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './name-reading.module.css'

type NameReadingProps = { samples: NameSamples; value: TextEncoding; onChange: (value: TextEncoding) => void }

/** Names of an archive that does not say its alphabet, as they will be: the likeliest reading, and others to choose. */
export function NameReading({ samples: { guess, readings }, value, onChange }: NameReadingProps) {
  const { t } = useTranslation(['uploads', 'files'])
  const id = useId()
  const shown = readings.find(({ encoding }) => encoding === value)?.names ?? []
  return (
    <div className={styles.reading}>
      <label htmlFor={id}>{t('names.choose')}</label>
      <Select<TextEncoding>
        id={id}
        value={value}
        onChange={onChange}
        options={readings.map(({ encoding }) => ({
          value: encoding,
          label:
            encoding === guess
              ? t('names.guessed', { alphabet: t(`files:encoding.${encoding}`) })
              : t(`files:encoding.${encoding}`),
        }))}
      />
      <ul aria-label={t('names.sample')} aria-live="polite">
        {shown.map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two names may look alike, and the list never moves
          <li key={index}>{name}</li>
        ))}
      </ul>
    </div>
  )
}
