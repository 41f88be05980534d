import { AppstoreOutlined, DeleteOutlined, ShareAltOutlined } from '@ant-design/icons'
import type { Recipe } from '@neuroloom/contract/recipes/recipe'
import type { KeptRecipe } from '@neuroloom/contract/recipes/recipes'
import { Button, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction, useCall } from '../../lib/query.ts'
import { SaveDialog } from '../../ui/save-dialog.tsx'
import styles from './recipes.module.css'

const refresh = ['recipes/list'] as const

type KeptRecipesProps = {
  recipe: Recipe
  onTake: (recipe: Recipe) => void
  onMakeTool: (kept: KeptRecipe) => void
}

/** Own recipes and those that others share: taken up, kept, made into tools, given to others, forgotten. */
export function KeptRecipes({ recipe, onTake, onMakeTool }: KeptRecipesProps) {
  const { t } = useTranslation('recipes')
  const { data } = useCall('recipes/list', {})
  const [isKeeping, setKeeping] = useState(false)
  const [sharing, setSharing] = useState<string | null>(null)
  const remove = useAction('recipes/remove', { refresh })
  const kept = data?.recipes ?? []
  const shared = kept.find(({ id }) => id === sharing)
  return (
    <div className={styles.kept}>
      <div className={styles.row}>
        <h3>{t('kept.title')}</h3>
        <Button size="small" disabled={recipe.steps.length === 0} onClick={() => setKeeping(true)}>
          {t('kept.keep')}
        </Button>
      </div>
      {kept.length === 0 && <p className={styles.soft}>{t('kept.none')}</p>}
      <ul>
        {kept.map((one) => (
          <li key={one.id}>
            <button type="button" className={styles.take} onClick={() => onTake(one.recipe)}>
              <span>{one.name}</span>
              <span className={styles.soft}>{aboutOf(one, t)}</span>
            </button>
            {one.from === null && (
              <Button
                type="text"
                size="small"
                icon={<AppstoreOutlined aria-hidden />}
                aria-label={t('kept.makeTool', { name: one.name })}
                title={t('kept.makeToolTitle')}
                onClick={() => onMakeTool(one)}
              />
            )}
            {one.from === null && (
              <Button
                type="text"
                size="small"
                icon={<ShareAltOutlined aria-hidden />}
                aria-label={t('kept.share', { name: one.name })}
                onClick={() => setSharing(one.id)}
              />
            )}
            <Button
              type="text"
              size="small"
              icon={<DeleteOutlined aria-hidden />}
              aria-label={t('kept.remove', { name: one.name })}
              onClick={() => remove.mutate({ id: one.id })}
            />
          </li>
        ))}
      </ul>
      {isKeeping && (
        <KeepDialog
          recipe={recipe}
          own={kept.filter(({ from }) => from === null)}
          onClose={() => setKeeping(false)}
        />
      )}
      {shared && <ShareDialog recipe={shared} onClose={() => setSharing(null)} />}
    </div>
  )
}

type Translate = ReturnType<typeof useTranslation<'recipes'>>['t']

function aboutOf({ from, description, recipe, shares }: KeptRecipe, t: Translate): string {
  const parts = [
    from === null ? '' : t('kept.from', { name: from }),
    description || recipe.steps.map((step) => t(`step.${step.do}.name`)).join(', '),
    shares.length > 0 ? t('kept.shares', { count: shares.length }) : '',
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

function KeepDialog({ recipe, own, onClose }: { recipe: Recipe; own: KeptRecipe[]; onClose: () => void }) {
  const { t } = useTranslation('recipes')
  const field = useId()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const keep = useAction('recipes/keep', { refresh })
  const before = own.find((one) => one.name === name.trim())
  return (
    <SaveDialog
      title={t('kept.keepTitle')}
      saveLabel={t(before ? 'kept.replace' : 'kept.keep')}
      isDisabled={name.trim() === ''}
      onSave={() => keep.mutateAsync({ id: before?.id ?? null, name: name.trim(), description, recipe })}
      onClose={onClose}
    >
      <div className={styles.form}>
        <label htmlFor={`${field}-name`}>{t('kept.name')}</label>
        <Input
          id={`${field}-name`}
          value={name}
          maxLength={100}
          onChange={({ target }) => setName(target.value)}
        />
        <label htmlFor={`${field}-text`}>{t('kept.description')}</label>
        <Input.TextArea
          id={`${field}-text`}
          value={description}
          maxLength={2000}
          rows={3}
          onChange={({ target }) => setDescription(target.value)}
        />
        {before && <p className={styles.soft}>{t('kept.replaceText')}</p>}
      </div>
    </SaveDialog>
  )
}

function ShareDialog({ recipe: { id, name, shares }, onClose }: { recipe: KeptRecipe; onClose: () => void }) {
  const { t } = useTranslation('recipes')
  const field = useId()
  const [account, setAccount] = useState('')
  const share = useAction('recipes/share', { refresh, onDone: () => setAccount('') })
  const unshare = useAction('recipes/unshare', { refresh })
  return (
    <Modal open centered footer={null} title={t('kept.shareTitle', { name })} onCancel={onClose}>
      <div className={styles.form}>
        <label htmlFor={field}>{t('kept.account')}</label>
        <div className={styles.row}>
          <Input id={field} value={account} onChange={({ target }) => setAccount(target.value)} />
          <Button
            type="primary"
            disabled={account.trim() === ''}
            loading={share.isPending}
            onClick={() => share.mutate({ id, account: account.trim() })}
          >
            {t('kept.give')}
          </Button>
        </div>
        <ul className={styles.shares}>
          {shares.map(({ userId, nickName }) => (
            <li key={userId} className={styles.row}>
              <span>{nickName}</span>
              <Button size="small" onClick={() => unshare.mutate({ id, memberId: userId })}>
                {t('kept.withdraw')}
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </Modal>
  )
}
