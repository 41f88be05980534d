import { market as limits } from '@neuroloom/contract/limits'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { messageOf } from '../../lib/api.ts'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import styles from './market.module.css'
import { WordsField } from './words-field.tsx'

/** Deeds that need nothing but a reason. */
export type SaidDeed = 'sendBack' | 'dispute' | 'giveUp'

/** Asks for the reason, and says what will happen. */
export function SayDialog({ id, deed, onClose }: { id: string; deed: SaidDeed; onClose: () => void }) {
  const { t } = useTranslation('market')
  const [text, setText] = useState('')
  const options = {
    quiet: true,
    refresh: ['demand/detail', 'demand/list'] as const,
    onDone: () => toast.success(t(`say.${deed}.done`)),
  }
  const sendBack = useAction('demand/sendBack', options)
  const dispute = useAction('demand/dispute', options)
  const giveUp = useAction('demand/giveUp', options)
  const save = async () => {
    const said = text.trim()
    if (deed === 'sendBack') return sendBack.mutateAsync({ id, text: said })
    if (deed === 'dispute') return dispute.mutateAsync({ id, reason: said })
    return giveUp.mutateAsync({ id, reason: said })
  }
  const error = sendBack.error ?? dispute.error ?? giveUp.error
  return (
    <SaveDialog
      width={520}
      title={t(`say.${deed}.title`)}
      saveLabel={t(`say.${deed}.save`)}
      isDanger={deed !== 'sendBack'}
      isDisabled={text.trim() === ''}
      onSave={save}
      onClose={onClose}
    >
      <div className={styles.form}>
        <p>{t(`say.${deed}.text`)}</p>
        <WordsField
          id="said"
          label={t(`say.${deed}.label`)}
          text={text}
          maxLength={limits.wordsLength}
          rows={3}
          onText={setText}
        />
        {error && (
          <p role="alert" className={styles.problem}>
            {messageOf(error)}
          </p>
        )}
      </div>
    </SaveDialog>
  )
}
