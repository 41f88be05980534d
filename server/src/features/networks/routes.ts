import { signedIn } from '../../http/access.ts'
import type { Rows } from '../../http/row.ts'
import { look } from './look.ts'
import * as own from './own.ts'
import { picture } from './picture.ts'
import * as networks from './service.ts'
import * as versions from './versions.ts'

export const rows: Rows<
  | 'networks/list'
  | 'networks/detail'
  | 'networks/mine'
  | 'networks/create'
  | 'networks/open'
  | 'networks/save'
  | 'networks/rename'
  | 'networks/copy'
  | 'networks/remove'
  | 'networks/versions'
  | 'networks/keep'
  | 'networks/version'
  | 'networks/picture'
  | 'networks/look'
> = {
  'networks/list': { access: signedIn, run: networks.list },
  'networks/detail': { access: signedIn, run: networks.detail },
  'networks/mine': { access: signedIn, run: own.mine },
  'networks/create': { access: signedIn, run: own.create },
  'networks/open': { access: signedIn, run: own.open },
  'networks/save': { access: signedIn, run: own.save },
  'networks/rename': { access: signedIn, run: own.rename },
  'networks/copy': { access: signedIn, run: own.copy },
  'networks/remove': { access: signedIn, run: own.remove },
  'networks/versions': { access: signedIn, run: versions.versions },
  'networks/keep': { access: signedIn, run: versions.keep },
  'networks/version': { access: signedIn, run: versions.version },
  'networks/picture': { access: signedIn, run: picture },
  'networks/look': { access: signedIn, run: look },
}
