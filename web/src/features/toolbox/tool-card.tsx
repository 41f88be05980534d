import { StarFilled, StarOutlined } from '@ant-design/icons'
import type { AnyToolName } from '@neuroloom/contract/toolbox/calls'
import type { ToolPicture as Picture } from '@neuroloom/contract/toolbox/toolbox'
import { Button, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAction } from '../../lib/query.ts'
import { toast } from '../../lib/toast.ts'
import cards from '../../ui/card.module.css'
import { toolAddress } from './tool-address.ts'
import { ToolPicture } from './tool-picture.tsx'
import styles from './toolbox.module.css'

/** A tool as the page tells of it, wherever it comes from. */
export type ShownTool = {
  name: AnyToolName
  title: string
  text: string
  picture: Picture
  level: number
  /** Found by these too. */
  words: string
  /** Of one that a member made: who that is, where it is somebody else, and why it does not work, if so. */
  note?: string | undefined
}

type ToolCardProps = { tool: ShownTool; isFavourite: boolean; isAvailable: boolean }

export function ToolCard({ tool, isFavourite, isAvailable }: ToolCardProps) {
  const { t } = useTranslation(['toolbox', 'errors', 'levels'])
  const mark = useAction('toolbox/setFavourite', { refresh: ['toolbox/home'] })
  const { title } = tool
  const target = `${cards.link} ${cards.target}`
  return (
    <li className={cards.card}>
      <div className={cards.head}>
        <span className={styles.picture}>
          <ToolPicture name={tool.picture} />
        </span>
        <div className={cards.names}>
          {isAvailable ? (
            <Link className={target} to={toolAddress(tool.name)}>
              {title}
            </Link>
          ) : (
            <button
              type="button"
              className={`${target} ${styles.refused}`}
              onClick={() => toast.warning(t('errors:application_unavailable'))}
            >
              {title}
            </button>
          )}
        </div>
        <Button
          type="text"
          className={cards.menu ?? ''}
          icon={
            isFavourite ? <StarFilled aria-hidden className={styles.star} /> : <StarOutlined aria-hidden />
          }
          aria-label={t('favourite', { title })}
          aria-pressed={isFavourite}
          onClick={() => mark.mutate({ tool: tool.name, isFavourite: !isFavourite })}
        />
      </div>
      <p className={styles.about}>{tool.text}</p>
      {tool.note && <p className={styles.note}>{tool.note}</p>}
      {!isAvailable && <Tag className={styles.level ?? ''}>{t('from.2')}</Tag>}
    </li>
  )
}
