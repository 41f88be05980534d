/** What a table of records says, for programs that show it in the member's language. */
import type { RecordAction } from '@neuroloom/contract/files'
import type { Language } from '@neuroloom/contract/language'

type Texts = {
  columns: { at: string; actor: string; action: string; name: string; from: string; to: string; more: string }
  actions: Record<RecordAction, string>
  /** Further words of a record; what is not listed is not for people. */
  details: Record<'with' | 'permission' | 'days' | 'count' | 'replaced' | 'public' | 'automatic', string>
  /** Values that are words themselves. */
  values: Record<string, string>
}

export const recordTexts: Record<Language, Texts> = {
  en: {
    columns: {
      at: 'Time (UTC)',
      actor: 'Member',
      action: 'Action',
      name: 'Name',
      from: 'From',
      to: 'To',
      more: 'Details',
    },
    actions: {
      upload: 'Uploaded',
      replace: 'Replaced',
      createFolder: 'Folder created',
      rename: 'Renamed',
      move: 'Moved',
      copy: 'Copied',
      download: 'Downloaded',
      remove: 'Moved to the recycle station',
      restore: 'Restored',
      purge: 'Deleted for good',
      share: 'Shared',
      unshare: 'Share withdrawn',
      leave: 'Share given up',
      openLink: 'Opened by a link',
      publish: 'Made public or private',
      unpack: 'Unpacked',
      convert: 'Converted',
      deidentify: 'Personal data removed',
    },
    details: {
      with: 'With',
      permission: 'Permission',
      days: 'Days',
      count: 'Files',
      replaced: 'Files replaced',
      public: 'Public',
      automatic: 'By itself, after its time',
    },
    values: { account: 'a member', group: 'a group', link: 'a link', view: 'view', edit: 'edit' },
  },
  zh: {
    columns: {
      at: '时间（UTC）',
      actor: '成员',
      action: '操作',
      name: '名称',
      from: '原位置',
      to: '目标位置',
      more: '详情',
    },
    actions: {
      upload: '上传',
      replace: '替换',
      createFolder: '新建文件夹',
      rename: '重命名',
      move: '移动',
      copy: '复制',
      download: '下载',
      remove: '移入回收站',
      restore: '恢复',
      purge: '彻底删除',
      share: '共享',
      unshare: '取消共享',
      leave: '退出共享',
      openLink: '通过链接打开',
      publish: '公开或取消公开',
      unpack: '解压',
      convert: '格式转换',
      deidentify: '去除个人信息',
    },
    details: {
      with: '共享给',
      permission: '权限',
      days: '天数',
      count: '文件数',
      replaced: '被替换的文件数',
      public: '公开',
      automatic: '到期自动清除',
    },
    values: { account: '成员', group: '群组', link: '链接', view: '查看', edit: '编辑' },
  },
  ru: {
    columns: {
      at: 'Время (UTC)',
      actor: 'Участник',
      action: 'Действие',
      name: 'Имя',
      from: 'Откуда',
      to: 'Куда',
      more: 'Подробности',
    },
    actions: {
      upload: 'Загружено',
      replace: 'Заменено',
      createFolder: 'Создана папка',
      rename: 'Переименовано',
      move: 'Перемещено',
      copy: 'Скопировано',
      download: 'Скачано',
      remove: 'Перемещено в корзину',
      restore: 'Восстановлено',
      purge: 'Удалено навсегда',
      share: 'Открыт доступ',
      unshare: 'Доступ закрыт',
      leave: 'Отказ от доступа',
      openLink: 'Открыто по ссылке',
      publish: 'Открыто для всех или закрыто',
      unpack: 'Распаковано',
      convert: 'Преобразовано',
      deidentify: 'Удалены личные данные',
    },
    details: {
      with: 'Кому',
      permission: 'Права',
      days: 'Дней',
      count: 'Файлов',
      replaced: 'Заменено файлов',
      public: 'Для всех',
      automatic: 'Автоматически, по истечении срока',
    },
    values: { account: 'участнику', group: 'группе', link: 'по ссылке', view: 'просмотр', edit: 'изменение' },
  },
}
