// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/themecolors.h"

#include <array>

namespace lk {

namespace {

QColor rgb(QRgb value)
{
    return QColor::fromRgb(value);
}

const ThemeColors& light()
{
    static const ThemeColors colors{rgb(0xF6F7F9), rgb(0xFFFFFF), rgb(0xD5DAE1), rgb(0x1A1E24),
                                    rgb(0x566070), rgb(0x0B62BF), rgb(0x1A7A3A), rgb(0x8F5B00),
                                    rgb(0xB3261E), rgb(0x6B4FBB), rgb(0x0B7A75), false};
    return colors;
}

const ThemeColors& dark()
{
    static const ThemeColors colors{rgb(0x14171B), rgb(0x1C2026), rgb(0x363D47), rgb(0xE7EAEE),
                                    rgb(0xA0AAB8), rgb(0x62AEFA), rgb(0x4CC38A), rgb(0xE5B454),
                                    rgb(0xF4786E), rgb(0xB69CFF), rgb(0x4FD0C7), true};
    return colors;
}

QColor mixed(const QColor& a, const QColor& b, double shareOfB)
{
    const auto part = [&](int x, int y) { return int(x + (y - x) * shareOfB + 0.5); };
    return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

QPalette paletteOf(const ThemeColors& c)
{
    QPalette p;
    const QColor button = c.dark ? mixed(c.surface, c.text, 0.06) : c.surface;
    p.setColor(QPalette::Window, c.ground);
    p.setColor(QPalette::WindowText, c.text);
    p.setColor(QPalette::Base, c.surface);
    p.setColor(QPalette::AlternateBase, mixed(c.surface, c.ground, 0.6));
    p.setColor(QPalette::Text, c.text);
    p.setColor(QPalette::PlaceholderText, c.second);
    p.setColor(QPalette::Button, button);
    p.setColor(QPalette::ButtonText, c.text);
    p.setColor(QPalette::BrightText, c.danger);
    p.setColor(QPalette::Highlight, c.accent);
    p.setColor(QPalette::HighlightedText, c.dark ? c.ground : c.surface);
    p.setColor(QPalette::Link, c.accent);
    p.setColor(QPalette::LinkVisited, c.violet);
    p.setColor(QPalette::ToolTipBase, c.surface);
    p.setColor(QPalette::ToolTipText, c.text);
    // Fusion draws its frames from these.
    p.setColor(QPalette::Light, mixed(button, Qt::white, c.dark ? 0.08 : 0.5));
    p.setColor(QPalette::Midlight, mixed(c.border, c.surface, 0.5));
    p.setColor(QPalette::Mid, c.border);
    p.setColor(QPalette::Dark, mixed(c.border, c.text, 0.25));
    p.setColor(QPalette::Shadow, mixed(c.border, Qt::black, 0.4));
    // Still three times as bright as the lightest ground that Fusion draws below it, or as dark.
    const QColor faint = mixed(c.second, c.surface, 0.15);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, faint);
    p.setColor(QPalette::Disabled, QPalette::Highlight, c.border);
    p.setColor(QPalette::Disabled, QPalette::HighlightedText, c.second);
    // A selection keeps its colour when the window is not the active one, only paler.
    p.setColor(QPalette::Inactive, QPalette::Highlight, mixed(c.accent, c.surface, 0.25));
    return p;
}

} // namespace

QColor ThemeColors::of(ColorRole role) const
{
    switch (role) {
    case ColorRole::Ground:
        return ground;
    case ColorRole::Surface:
        return surface;
    case ColorRole::Border:
        return border;
    case ColorRole::Text:
        return text;
    case ColorRole::Second:
        return second;
    case ColorRole::Accent:
        return accent;
    case ColorRole::Ok:
        return ok;
    case ColorRole::Warning:
        return warning;
    case ColorRole::Danger:
        return danger;
    case ColorRole::Violet:
        return violet;
    case ColorRole::Teal:
        return teal;
    }
    return text;
}

QColor ThemeColors::tint(ColorRole role) const
{
    return mixed(surface, of(role), dark ? 0.18 : 0.10);
}

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness() < 128;
}

const ThemeColors& themeColors(const QPalette& palette)
{
    return isDark(palette) ? dark() : light();
}

QPalette lightPalette()
{
    return paletteOf(light());
}

QPalette darkPalette()
{
    return paletteOf(dark());
}

ColorRole healthRole(Health health)
{
    switch (health) {
    case Health::Idle:
        return ColorRole::Second;
    case Health::Ok:
        return ColorRole::Ok;
    case Health::Warning:
        return ColorRole::Warning;
    case Health::Error:
        return ColorRole::Danger;
    }
    return ColorRole::Second;
}

QColor ownerColor(const QString& owner, const QPalette& palette)
{
    if (owner.isEmpty())
        return themeColors(palette).second;
    // Even steps of hue differ little in blue and green: these are spread by how they look, and
    // all carry the surface's colour as text.
    static constexpr std::array<QRgb, 8> onLight{0x0B62BF, 0x9A5B00, 0x0B7A75, 0xA63A78,
                                                 0x4F7A12, 0x6B4FBB, 0xB04425, 0x4C6072};
    static constexpr std::array<QRgb, 8> onDark{0x62AEFA, 0xE5B454, 0x4FD0C7, 0xF08CC0,
                                                0xA5CF5B, 0xB69CFF, 0xF59A7C, 0xA9BBCB};
    quint32 hash = 2166136261u; // FNV-1a: the same in every run, which qHash is not
    for (const char byte : owner.toUtf8())
        hash = (hash ^ quint8(byte)) * 16777619u;
    hash ^= hash >> 15;
    return rgb((isDark(palette) ? onDark : onLight)[hash % onLight.size()]);
}

} // namespace lk
