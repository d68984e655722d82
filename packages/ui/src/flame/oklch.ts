/**
 * A colour by lightness (0–1), chroma (0 is grey) and hue (degrees) in OKLCH, where equal lightness looks equally light, so that no hue shouts.
 * Source of the matrices: Björn Ottosson, "A perceptual color space for image processing" (public domain).
 * What sRGB cannot show is clamped. Returns `#rrggbb`.
 */
export function oklch(lightness: number, chroma: number, hue: number): string {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return `#${[
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
    .map((linear) => {
      const light = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
      return Math.round(Math.min(Math.max(light, 0), 1) * 255)
        .toString(16)
        .padStart(2, '0');
    })
    .join('')}`;
}

/** Contrast of two `#rrggbb` colours as WCAG 2.2 defines it: 1 to 21. */
export function contrast(first: string, second: string): number {
  const [light, dark] = [luminance(first), luminance(second)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const light = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return light <= 0.04045 ? light / 12.92 : ((light + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
