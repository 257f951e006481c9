// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/themecolors.h"

#include <QWidget>

namespace lk {

/// A frame around a whole window for as long as it can change a server, or shows the past, with a
/// tab at the end of the menu bar that says which. Lies over everything and takes no clicks.
class WriteModeFrame final : public QWidget
{
    Q_OBJECT

public:
    explicit WriteModeFrame(QWidget* window);

    /// text: in the tab; empty: none.
    void showIn(ColorRole role, const QString& text = {});
    /// As it is shown: cut in the middle where the window is narrow.
    QString text() const;
    void showPast();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void fit();
    QRect tab() const; ///< empty: none

    ColorRole m_role = ColorRole::Warning;
    QString m_text;
};

} // namespace lk
