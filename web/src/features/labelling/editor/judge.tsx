import type { LabelReading, LabelSet, ReadingState } from '@neuroloom/contract/labelling/labelling'
import { labelling as limits } from '@neuroloom/contract/limits'
import { Button, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'

type JudgeProps = {
  reading: LabelReading
  right: LabelSet['right']
  state: ReadingState
  onState: (state: ReadingState, reason?: string) => void
}

/** Handing in what one marked oneself; accepting and returning what was handed in. */
export function Judge({ reading, right, state, onState }: JudgeProps) {
  const { t } = useTranslation(['labelling', 'label-people'])
  const [isReturning, setIsReturning] = useState(false)
  const isJudge = right !== 'read'
  const isMine = reading.reader === '' || (reading.isAgreed && isJudge)
  const isDone = state === 'done' || state === 'accepted'
  return (
    <>
      {isJudge && state === 'done' && (
        <Button type="primary" onClick={() => onState('accepted')}>
          {t('label-people:judge.accept')}
        </Button>
      )}
      {isJudge && state === 'done' && !isMine && (
        <Button onClick={() => setIsReturning(true)}>{t('label-people:judge.return')}</Button>
      )}
      {isMine && state !== 'accepted' && (
        <Button type={isDone ? 'default' : 'primary'} onClick={() => onState(isDone ? 'open' : 'done')}>
          {t(isDone ? 'openAgain' : 'finish')}
        </Button>
      )}
      {isJudge && state === 'accepted' && (
        <Button onClick={() => onState('done')}>{t('label-people:judge.withdraw')}</Button>
      )}
      {isReturning && (
        <Returning
          onClose={() => setIsReturning(false)}
          onReturn={(reason) => {
            setIsReturning(false)
            onState('returned', reason)
          }}
        />
      )}
    </>
  )
}

/** With the reason, which the reader finds beside the image. */
function Returning({ onReturn, onClose }: { onReturn: (reason: string) => void; onClose: () => void }) {
  const { t } = useTranslation('label-people')
  const id = useId()
  const [reason, setReason] = useState('')
  return (
    <Modal
      open
      centered
      width={460}
      title={t('judge.returnTitle')}
      okText={t('judge.return')}
      okButtonProps={{ disabled: reason.trim() === '' }}
      cancelText={t('judge.cancel')}
      onOk={() => onReturn(reason.trim())}
      onCancel={onClose}
    >
      <label htmlFor={id}>{t('judge.reason')}</label>
      <Input.TextArea
        id={id}
        autoFocus
        autoSize={{ minRows: 3, maxRows: 8 }}
        maxLength={limits.commentLength}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
        // The editor's keys are not meant.
        onKeyDown={(event) => event.stopPropagation()}
      />
    </Modal>
  )
}
