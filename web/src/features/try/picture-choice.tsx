import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import styles from './try.module.css'

type Props = { isOver: boolean; hasPicture: boolean; onChoose: (file: File) => void }

/** Also names that the browser cannot read: they are told by name instead of being grey in the dialog. */
const ACCEPTED = 'image/*,.tif,.tiff,.dcm,.nii,.gz'

/** The ways in which a picture comes: dropped, picked, or taken by a phone's camera. */
export function PictureChoice({ isOver, hasPicture, onChoose }: Props) {
  const { t } = useTranslation('try')
  const file = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const take = ({ currentTarget }: React.ChangeEvent<HTMLInputElement>) => {
    const [chosen] = currentTarget.files ?? []
    if (chosen) onChoose(chosen)
    // The same file once more is a new choice.
    currentTarget.value = ''
  }
  return (
    <div className={[styles.choice, isOver && styles.over].filter(Boolean).join(' ')}>
      <p className={styles.invite}>{t(hasPicture ? 'another' : 'invite')}</p>
      <div className={styles.buttons}>
        <Button onClick={() => file.current?.click()}>{t('choose')}</Button>
        {isHeld() ? (
          <Button look="quiet" onClick={() => camera.current?.click()}>
            {t('camera')}
          </Button>
        ) : null}
      </div>
      <input ref={file} type="file" accept={ACCEPTED} hidden onChange={take} aria-label={t('choose')} />
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        onChange={take}
        aria-label={t('camera')}
      />
    </div>
  )
}

/** A device with a touch screen has a camera at hand; elsewhere the button would open the same dialog as the other. */
const isHeld = (): boolean => navigator.maxTouchPoints > 0
