/** What runs on the graphics card. Places are metres from the middle of the volume; colours are those of the bar, shaded. */

/** Points of a row of the textures that lines come in. */
export const ROW = 1024

const LIGHT = `
vec3 lit(vec3 colour, vec3 normal, vec3 light) {
  float facing = max(dot(normal, light), 0.0);
  return colour * (0.4 + 0.6 * facing) + 0.18 * pow(facing, 24.0);
}`

/**
 * The half of a tube that is seen between two points of a line, as a strip of triangles. Its rings stand across the line at both
 * points, so that the next piece goes on without a gap; at the ends of lines it closes to a tip. With a moment to show, what lies after
 * it is left away, and what lies long before it is thin and faint.
 */
export const TUBE_VERTEX = `#version 300 es
precision highp float;
uniform highp sampler2D points;
uniform highp sampler2D times;
uniform mat4 clip;
uniform float radius;
uniform float top;
uniform int sides;
uniform mat3 sight;
uniform vec3 moment;
out vec3 normal;
out float share;
out float fresh;

ivec2 texel(int at) { return ivec2(at % ${ROW}, at / ${ROW}); }

void main() {
  int each = 2 * sides + 4;
  int piece = gl_VertexID / each;
  // The first and the last corner come twice: between pieces nothing is drawn.
  int corner = clamp(gl_VertexID % each - 1, 0, 2 * sides + 1);
  vec4 before = texelFetch(points, texel(piece), 0);
  vec4 from = texelFetch(points, texel(piece + 1), 0);
  vec4 to = texelFetch(points, texel(piece + 2), 0);
  vec4 after = texelFetch(points, texel(piece + 3), 0);
  bool isBegin = from.w < 0.0;
  bool isEnd = to.w < 0.0;
  bool isTimed = moment.z > 0.5;
  float firstWhen = isTimed ? texelFetch(times, texel(piece + 1), 0).r : 0.0;
  float secondWhen = isTimed ? texelFetch(times, texel(piece + 2), 0).r : 0.0;
  vec3 first = from.xyz;
  vec3 second = to.xyz;
  bool isLater = isTimed && (isBegin ? secondWhen > moment.x : firstWhen >= moment.x);
  if (isLater || (isBegin && isEnd)) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    return;
  }
  if (isTimed && secondWhen > moment.x) {
    second = mix(first, second, (moment.x - firstWhen) / (secondWhen - firstWhen));
  }
  vec3 axis = normalize(second - first);
  if (isBegin) first = second - axis * radius;
  if (isEnd) second = first + axis * radius;
  bool isSecond = (corner & 1) == 1;
  float turn = 3.14159265 * float(corner >> 1) / float(sides);
  vec3 aside = cross(axis, sight[2]);
  // A line that comes straight at who looks has no side of its own.
  aside = dot(aside, aside) > 1e-8 ? normalize(aside) : sight[0];
  vec3 outwards = cos(turn) * aside + sin(turn) * cross(axis, aside);
  vec3 way = isSecond ? after.xyz - from.xyz : to.xyz - before.xyz;
  bool isTip = (isBegin && !isSecond) || (isEnd && isSecond);
  if (!isTip && dot(way, way) > 0.0) {
    vec3 along = normalize(way);
    vec3 across = outwards - along * dot(along, outwards);
    if (dot(across, across) > 0.01) outwards = normalize(across);
  }
  float when = isSecond ? min(secondWhen, moment.x) : firstWhen;
  fresh = isTimed ? clamp(1.0 - (moment.x - when) / moment.y, 0.0, 1.0) : 1.0;
  float thick = isTip ? 0.0 : radius * mix(0.55, 1.0, fresh);
  float speed = isTip ? (isBegin ? to.w : from.w) : (isSecond ? to.w : from.w);
  share = clamp(speed / top, 0.0, 1.0);
  normal = isTip ? (isBegin ? -axis : axis) : outwards;
  gl_Position = clip * vec4((isSecond ? second : first) + thick * outwards, 1.0);
}`

export const TUBE_FRAGMENT = `#version 300 es
precision highp float;
in vec3 normal;
in float share;
in float fresh;
uniform sampler2D colours;
uniform vec3 light;
uniform vec4 plain;
out vec4 pixel;
${LIGHT}
void main() {
  vec3 colour = mix(texture(colours, vec2((share * 255.0 + 0.5) / 256.0, 0.5)).rgb, plain.rgb, plain.a);
  vec3 shaded = plain.a > 0.5 ? colour : lit(colour, normalize(normal), light);
  pixel = vec4(shaded * mix(0.7, 1.0, fresh), 1.0);
}`

/** A ball that always faces who looks. */
export const BALL_VERTEX = `#version 300 es
layout(location = 0) in vec4 place;
uniform mat4 clip;
uniform mat3 sight;
uniform float radius;
uniform float top;
out vec2 across;
out float share;
void main() {
  across = vec2((gl_VertexID & 1) == 1 ? 1.0 : -1.0, gl_VertexID > 1 ? 1.0 : -1.0);
  share = clamp(place.w / top, 0.0, 1.0);
  vec3 at = place.xyz + radius * (across.x * sight[0] + across.y * sight[1] - sight[2]);
  gl_Position = clip * vec4(at, 1.0);
}`

export const BALL_FRAGMENT = `#version 300 es
precision highp float;
in vec2 across;
in float share;
uniform sampler2D colours;
uniform vec3 light;
uniform mat3 sight;
out vec4 pixel;
${LIGHT}
void main() {
  float square = dot(across, across);
  if (square > 1.0) discard;
  vec3 normal = across.x * sight[0] + across.y * sight[1] - sqrt(1.0 - square) * sight[2];
  vec3 colour = texture(colours, vec2((share * 255.0 + 0.5) / 256.0, 0.5)).rgb;
  pixel = vec4(lit(colour, normal, light), 1.0);
}`

/** Clear where one looks straight through it, so that only its outline is seen. */
export const HULL_VERTEX = `#version 300 es
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 outwards;
uniform mat4 clip;
out vec3 normal;
void main() {
  normal = outwards;
  gl_Position = clip * vec4(place, 1.0);
}`

export const HULL_FRAGMENT = `#version 300 es
precision highp float;
in vec3 normal;
uniform vec3 away;
uniform vec3 colour;
out vec4 pixel;
void main() {
  float rim = 1.0 - abs(dot(normalize(normal), away));
  pixel = vec4(colour, 0.03 + 0.22 * rim * rim);
}`
