import type { KeptRecipe } from '@neuroloom/contract/recipes/recipes'
import type { OwnTool } from '@neuroloom/contract/toolbox/own-tools'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { formatDate } from '../../../lib/format.ts'
import { useAction, useCall } from '../../../lib/query.ts'
import { ConfirmRemove } from '../../../ui/confirm-remove.tsx'
import { MakeDialog, type ToolSource } from './make-dialog.tsx'
import styles from './own.module.css'
import { ShareDialog } from './share-dialog.tsx'
import { stepsInside } from './values.ts'

/** What its maker does with a tool; whoever was given it can put it away. */
export function OwnActions({ tool }: { tool: OwnTool }) {
  const { t } = useTranslation('own-tools')
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'change' | 'share' | 'remove' | null>(null)
  const remove = useAction('toolbox/removeTool', {
    refresh: ['toolbox/ownTools', 'toolbox/home', 'plans/shared'],
    onDone: () => void navigate('/toolboxHome'),
  })
  const isOwn = tool.made !== null
  const close = () => setDialog(null)
  // What reached a member by a group leaves with the group.
  if (!isOwn && tool.from?.group) return null
  return (
    <>
      {isOwn && tool.state === 'ready' && (
        <>
          <Button onClick={() => setDialog('share')}>{t('share.open')}</Button>
          <Button onClick={() => setDialog('change')}>{t('change')}</Button>
        </>
      )}
      <Button {...(isOwn ? { danger: true } : {})} onClick={() => setDialog('remove')}>
        {t(isOwn ? 'remove.own' : 'remove.given')}
      </Button>
      {dialog === 'change' && <ChangeDialog tool={tool} onClose={close} />}
      {dialog === 'share' && <ShareDialog tool={tool} onClose={close} />}
      <ConfirmRemove
        open={dialog === 'remove'}
        title={t(isOwn ? 'remove.ownTitle' : 'remove.givenTitle', { name: tool.name })}
        text={t(isOwn ? 'remove.ownText' : 'remove.givenText')}
        confirmLabel={t(isOwn ? 'remove.own' : 'remove.given')}
        onConfirm={() => remove.mutateAsync({ id: tool.id })}
        onClose={close}
      />
    </>
  )
}

/** From which version of the recipe the tool was made, and the way to the newest. */
export function MadeFrom({ tool }: { tool: OwnTool }) {
  const { t } = useTranslation('own-tools')
  const [isTaking, setTaking] = useState(false)
  const { made, kind } = tool
  const isAsked = made?.hasNewer === true
  const kept = useCall('recipes/list', {}, { quiet: true, enabled: isAsked })
  if (!made) return null
  const newest = kept.data?.recipes.find(({ id }) => id === made.sourceId)
  return (
    <p className={styles.madeFrom}>
      {t(`madeFrom.${kind}`, { name: made.sourceName, date: formatDate(made.madeFrom, 'minute') })}
      {isAsked && newest && (
        <>
          {' '}
          {t('hasNewer')}
          <Button type="link" size="small" onClick={() => setTaking(true)}>
            {t('takeNewest')}
          </Button>
        </>
      )}
      {isTaking && newest && (
        <MakeDialog
          source={sourceOf(newest)}
          tool={tool}
          takesNewest
          onDone={() => setTaking(false)}
          onClose={() => setTaking(false)}
        />
      )}
    </p>
  )
}

const sourceOf = ({ id, name, recipe }: KeptRecipe): ToolSource => ({
  ...{ of: 'recipe', sourceId: id, name, steps: recipe.steps },
})

function ChangeDialog({ tool, onClose }: { tool: OwnTool; onClose: () => void }) {
  const sourceId = tool.made?.sourceId ?? ''
  const isNetwork = tool.kind === 'network'
  const learned = useCall('runs/recipe', { id: sourceId }, { quiet: true, enabled: isNetwork })
  if (isNetwork && learned.isPending) return null
  const source: ToolSource = isNetwork
    ? { of: 'network', sourceId, name: tool.name, isPrepared: !!learned.data?.recipe }
    : { of: 'recipe', sourceId, name: tool.name, steps: stepsInside(tool) }
  return <MakeDialog source={source} tool={tool} onDone={onClose} onClose={onClose} />
}
