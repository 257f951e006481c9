// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/themecolors.h"

#include <QWidget>

namespace lk {

/// A frame around a whole window for as long as it can change a server, or shows the past. Lies
/// over everything and takes no clicks.
class WriteModeFrame final : public QWidget
{
    Q_OBJECT

public:
    explicit WriteModeFrame(QWidget* window);

    void showIn(ColorRole role);
    void showPast();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void fit();

    ColorRole m_role = ColorRole::Warning;
};

} // namespace lk
