// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <functional>

namespace lk {

/// Lets a widget's redraws through only while it can be seen, and only so often; what was asked for
/// while hidden happens once when it is shown. Owned by the widget.
class RedrawGate final : public QObject
{
public:
    RedrawGate(QWidget* widget, std::function<void()> redraw);

    void request();      ///< for new values: at most ten times a second
    void requestFrame(); ///< for what a person moves: at most sixty times a second
    /// A redraw that was asked for is yet to come.
    bool isPending() const { return m_wanted && m_widget->isVisible(); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void ask(int gapMs);
    void run();

    QWidget* m_widget;
    std::function<void()> m_redraw;
    QTimer m_timer;
    QElapsedTimer m_sinceLast;
    bool m_wanted = false;
};

} // namespace lk
