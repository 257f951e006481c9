// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <functional>

namespace lk {

/// Passes a widget's redraws only while it is visible, and at a limited rate. Requests while hidden
/// cause one redraw when it is shown. Owned by the widget.
class RedrawGate final : public QObject
{
public:
    RedrawGate(QWidget* widget, std::function<void()> redraw);

    void request();      ///< for new values: at most ten times a second
    void requestFrame(); ///< for the user's movements: at most sixty times a second
    /// Returns true if a requested redraw is still to come.
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
