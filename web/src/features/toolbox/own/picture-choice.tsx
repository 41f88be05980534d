import { type ToolPicture as Name, toolPictures } from '@neuroloom/contract/toolbox/toolbox'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { ToolPicture } from '../tool-picture.tsx'
import styles from './own.module.css'

export function PictureChoice({ value, onChange }: { value: Name; onChange: (picture: Name) => void }) {
  const { t } = useTranslation('own-tools')
  const group = useId()
  return (
    <fieldset className={styles.pictures}>
      <legend>{t('make.picture')}</legend>
      {toolPictures.map((picture) => (
        <label key={picture} title={t(`picture.${picture}`)}>
          <input
            type="radio"
            name={group}
            aria-label={t(`picture.${picture}`)}
            checked={picture === value}
            onChange={() => onChange(picture)}
          />
          <span aria-hidden className={styles.picture}>
            <ToolPicture name={picture} />
          </span>
        </label>
      ))}
    </fieldset>
  )
}
