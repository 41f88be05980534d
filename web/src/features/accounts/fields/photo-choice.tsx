import { useTranslation } from 'react-i18next'
import { Portrait } from '../../../ui/pictures/portrait.tsx'
import { isPortrait, portraitNames } from '../../../ui/pictures/portrait-names.ts'
import styles from '../profile-dialog.module.css'

type PhotoChoiceProps = {
  value: string
  /** Shown as chosen for as long as nobody chose. */
  suggested: string
  onChange: (photo: string) => void
}

/** One of the drawn pictures. */
export function PhotoChoice({ value, suggested, onChange }: PhotoChoiceProps) {
  const { t } = useTranslation('member')
  const chosen = isPortrait(value) ? value : suggested
  return (
    <fieldset className={styles.photos}>
      <legend>{t('field.photo')}</legend>
      {portraitNames.map((name) => (
        <label key={name} className={styles.photo} data-chosen={name === chosen}>
          <input
            type="radio"
            name="profile-photo"
            checked={name === chosen}
            aria-label={t(`photo.${name}`)}
            onChange={() => onChange(name)}
          />
          <Portrait name={name} size={48} />
        </label>
      ))}
    </fieldset>
  )
}
