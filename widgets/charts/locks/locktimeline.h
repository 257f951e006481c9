// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/chartwidget.h"
#include "widgets/charts/strips/overlaprows.h"

#include <optional>
#include <vector>

namespace lk {

class ChartHeader;
class RedrawGate;

/// One owner's hold of a lock. Server time in milliseconds.
struct HoldInterval
{
    QString lane;  ///< the lock, as shown
    QString owner; ///< as shown; empty: the value names no owner
    qint64 fromMs = 0;
    qint64 toMs = 0;                  ///< its end; while it is open, when it was last seen
    std::optional<qint64> leaseEndMs; ///< when an open one ends by itself
    bool noTtl = false;               ///< no lease: it never ends by itself
    int renewals = 0;
    bool open = false;     ///< still held: the bar reaches now
    bool fromKnown = true; ///< false: it was held already when this console first saw it
    bool endKnown = true;  ///< closed: false if it ended unseen, some time after toMs
};

/// Who held which lock, when: a lane per lock, a bar per owner, bars of several at a time below
/// each other, what is left of the lease hatched beyond now, an arrow where it has no end. A bar is
/// as long as the hold was seen. A single lane has no name beside it: it stands exactly above or
/// below a TimeChart. Pans, zooms and follows like that; up and down choose a lane.
class LockTimeline final : public ChartWidget
{
    Q_OBJECT
public:
    explicit LockTimeline(QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// Lanes appear in the order in which they are first named.
    void setIntervals(std::vector<HoldInterval> intervals);
    /// Makes the timeline show the axis' span. Not owned; outlives this.
    void setAxis(TimeAxis* axis);
    /// How long ago an open hold may have been seen last. 2 s by default.
    void setStaleAfter(qint64 ms) { m_staleAfterMs = ms; }
    void setNow(qint64 serverNowMs);
    void setSpan(qint64 spanMs);
    void follow();
    bool following() const;
    qint64 fromMs() const;
    qint64 toMs() const;

    QStringList lanes() const { return m_lanes; }
    /// The bar under a point; null where there is none. Valid until the next setIntervals().
    const HoldInterval* intervalAt(const QPoint& position) const;
    QString csv() const override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void rangeChanged(qint64 fromMs, qint64 toMs, bool following);
    void laneActivated(const QString& lane); ///< double click on a lane's name, or Return

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;
    Shown shown() const override;
    QString chartTitle() const override { return m_title; }
    TimeAxis* timeAxis() const override { return m_axis; }

private:
    QRect plotRect() const;
    int barHeight() const; ///< in a lane that has one holder at a time
    int laneHeight(int lane) const;
    int laneTop(int lane) const;
    void place();
    int namesWidth() const;
    QRectF barRect(size_t interval) const;
    qreal xOf(qint64 tMs) const;
    qint64 timeAt(int x) const;
    /// Up to when it was seen to be held.
    qint64 endOf(const HoldInterval& interval) const;
    bool isFresh(const HoldInterval& interval) const;
    bool hasOpenEnd(const HoldInterval& interval) const;
    void moved();
    void redraw();
    void paintLanes(QPainter& painter) const;
    void paintBars(QPainter& painter, const QRect& plot) const;
    void paintBar(QPainter& painter, size_t number) const;
    void paintFuture(QPainter& painter, const HoldInterval& interval, const QRectF& bar) const;
    void paintAxis(QPainter& painter) const;
    QString intervalText(const HoldInterval& interval) const;
    QString description() const;

    TimeAxis* m_axis; ///< its own until it is given one
    qint64 m_staleAfterMs = 2000;
    QString m_title;
    std::vector<HoldInterval> m_intervals;
    std::vector<int> m_laneOf;       ///< per interval
    std::vector<int> m_rowOf;        ///< per interval, in its lane
    std::vector<OverlapRows> m_rows; ///< per lane
    QStringList m_lanes;
    ChartHeader* m_header = nullptr;
    RedrawGate* m_gate = nullptr;
    int m_current = 0; ///< the lane that the keyboard is on
    std::optional<int> m_dragX;
    std::optional<int> m_pressX; ///< where a click would be one
};

} // namespace lk
