// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/theme.h"

#include "widgets/theme/consolestyle.h"
#include "widgets/theme/themecolors.h"

#include <QApplication>
#include <QFontDatabase>

namespace lk {

namespace {

QFont sized(QFont font, TextSize size)
{
    switch (size) {
    case TextSize::Caption:
        font.setPointSizeF(8.5);
        break;
    case TextSize::Body:
        font.setPointSizeF(9.5);
        break;
    case TextSize::Title:
        font.setPointSizeF(12);
        font.setWeight(QFont::DemiBold);
        break;
    case TextSize::Figure:
        font.setPointSizeF(20);
        break;
    }
    return font;
}

struct ThemeName
{
    ThemeChoice choice;
    const char* id;
};
constexpr ThemeName themeNames[] = {
    {ThemeChoice::System, "system"}, {ThemeChoice::Light, "light"}, {ThemeChoice::Dark, "dark"}};

} // namespace

QString themeId(ThemeChoice choice)
{
    for (const ThemeName& name : themeNames) {
        if (name.choice == choice)
            return QLatin1String(name.id);
    }
    return {};
}

std::optional<ThemeChoice> themeOfId(const QString& id)
{
    for (const ThemeName& name : themeNames) {
        if (id == QLatin1String(name.id))
            return name.choice;
    }
    return std::nullopt;
}

Theme::Theme(QApplication& app)
    : m_app(app)
    , m_systemDark(isDark(app.palette()))
{
    m_app.setStyle(new ConsoleStyle); // owned by the application from here on
    m_app.setFont(uiFont(TextSize::Body));
    choose(ThemeChoice::System);
}

void Theme::choose(ThemeChoice choice)
{
    m_choice = choice;
    m_app.setPalette(dark() ? darkPalette() : lightPalette());
}

bool Theme::dark() const
{
    return m_choice == ThemeChoice::Dark || (m_choice == ThemeChoice::System && m_systemDark);
}

QFont uiFont(TextSize size)
{
    return sized(QFontDatabase::systemFont(QFontDatabase::GeneralFont), size);
}

QFont monoFont(TextSize size)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setStyleHint(QFont::Monospace);
    return sized(font, size);
}

} // namespace lk
