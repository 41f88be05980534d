import type { Member } from '@neuroloom/contract/accounts/members'
import { Input, Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { levelNames } from '../../lib/level-names.ts'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import styles from './members.module.css'

type LevelDialogProps = {
  member: Member
  onChoose: (level: number, until: string | null) => Promise<unknown>
  onClose: () => void
}

/** Below this a level has no end: it is what all others fall back to. */
const BRONZE = 2

/** A membership level, for ever or until the end of a day. */
export function LevelDialog({ member, onChoose, onClose }: LevelDialogProps) {
  const { t } = useTranslation(['members', 'levels'])
  const [level, setLevel] = useState(member.vipLevel)
  const [day, setDay] = useState(member.vipValid === null ? '' : dayOf(new Date(member.vipValid)))
  const hasEnd = level >= BRONZE
  const isOver = hasEnd && day !== '' && endOf(day) <= new Date()
  const save = () => onChoose(level, hasEnd && day !== '' ? endOf(day).toISOString() : null)
  return (
    <SaveDialog
      title={t('levelOf', { name: member.nickName })}
      isDisabled={isOver}
      onSave={save}
      onClose={onClose}
    >
      <div className={styles.form}>
        <Radio.Group
          vertical
          value={level}
          onChange={({ target }) => setLevel(target.value)}
          options={levelNames.map((name, value) => ({ value, label: t(`levels:${name}`) }))}
        />
        {hasEnd && (
          <>
            <label htmlFor="level-until">{t('until')}</label>
            <Input
              id="level-until"
              type="date"
              value={day}
              status={isOver ? 'error' : ''}
              aria-describedby="level-until-help"
              onChange={({ target }) => setDay(target.value)}
            />
            <p id="level-until-help" className={isOver ? styles.problem : styles.help}>
              {t(isOver ? 'dayOver' : 'untilHelp')}
            </p>
          </>
        )}
      </div>
    </SaveDialog>
  )
}

/** As the administrator's calendar has it. */
const endOf = (day: string): Date => new Date(`${day}T23:59:59`)

function dayOf(date: Date): string {
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${date.getFullYear()}-${month}-${day}`
}
