// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/state.h"

#include "widgets/charts/chartwidget.h"

#include <QElapsedTimer>
#include <QTimer>

namespace lk {

class ChartHeader;
class RedrawGate;
struct StripLayout;

/// A limiter's window as a lane: from "window ago" at the left over now to the retry horizon at
/// the right. Accepted requests are solid marks that drift to the left as server time passes,
/// reservations are hollow marks beyond now. Counting limiters show a bar with its reset moment.
/// Between states it moves by itself, at most ten times a second and only while it is seen. It
/// always shows the whole window: there is nothing to zoom.
class WindowStrip final : public ChartWidget
{
    Q_OBJECT
public:
    explicit WindowStrip(QWidget* parent = nullptr);

    /// ttlMs: of the main key at that moment; when a counter or gate resets.
    void setState(const LimiterState& state, qint64 asOfServerMs, std::optional<qint64> ttlMs = {});
    void clear();
    void setServerNow(qint64 ms);
    /// While paused, the strip shows exactly the moment of setServerNow(), and says so.
    void setPaused(bool paused);
    /// Marks and reservations with their times; of a counter its numbers.
    QString csv() const override;

    /// Returns the text at a point: a mark's moment. Empty if there is nothing.
    QString textAt(const QPoint& position) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool event(QEvent* event) override;
    Shown shown() const override { return {shownNow(), shownNow()}; }
    QString chartTitle() const override { return tr("Window"); }

private:
    qint64 shownNow() const;
    StripLayout layoutNow() const;
    QRect laneRect() const;
    void animate();
    void refresh();
    void paintLane(QPainter& painter, const StripLayout& strip) const;
    void paintMarks(QPainter& painter, const StripLayout& strip) const;
    void paintDensity(QPainter& painter, const StripLayout& strip) const;
    void paintCaptions(QPainter& painter, const StripLayout& strip) const;
    void paintScale(QPainter& painter, const StripLayout& strip) const;
    void paintCounter(QPainter& painter) const;
    std::optional<qint64> resetInMs() const;
    QString usedText(qint64 used) const;
    QString description() const;

    std::optional<LimiterState> m_state;
    qint64 m_asOfMs = 0;
    std::optional<qint64> m_ttlMs;
    qint64 m_nowMs = 0;
    qint64 m_futureSeenMs = 0; ///< when there last was a future: the layout stays calm
    QElapsedTimer m_sinceNow;
    QTimer m_frames;
    bool m_paused = false;
    ChartHeader* m_header = nullptr;
    RedrawGate* m_gate = nullptr;
};

} // namespace lk
