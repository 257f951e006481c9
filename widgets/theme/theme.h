// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPalette>

#include <optional>

class QApplication;

namespace lk {

/// The user's choice. System: follows the desktop's palette.
enum class ThemeChoice : quint8 { System, Light, Dark };

QString themeId(ThemeChoice choice); ///< in settings: "system", "light", "dark"
std::optional<ThemeChoice> themeOfId(const QString& id);

/// Dresses the application: Fusion, the palette of the chosen theme and the body font. Made once,
/// before the first window, and kept for as long as the application runs.
class Theme final
{
public:
    /// Remembers whether the desktop's own palette is dark; that is what System follows.
    explicit Theme(QApplication& app);

    void choose(ThemeChoice choice); ///< widgets hear of it as QEvent::PaletteChange
    ThemeChoice choice() const { return m_choice; }
    bool dark() const;

private:
    QApplication& m_app;
    bool m_systemDark;
    ThemeChoice m_choice = ThemeChoice::System;
};

/// Every size there is in the window.
enum class TextSize : quint8 {
    Caption, ///< 8.5 pt
    Body,    ///< 9.5 pt
    Title,   ///< 12 pt, medium weight
    Figure,  ///< 20 pt: the one number of a detail pane
};

QFont uiFont(TextSize size);   ///< the system's interface font
QFont monoFont(TextSize size); ///< the system's fixed font: keys, owners, payloads, commands

} // namespace lk
