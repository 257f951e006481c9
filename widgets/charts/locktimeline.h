// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/timeview.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace lk {

class ChartHeader;
class RedrawGate;

/// One owner's hold of a lock. Server time in milliseconds.
struct HoldInterval
{
    QString lane;  ///< the lock, as shown
    QString owner; ///< as shown; empty: the value tells no owner
    qint64 fromMs = 0;
    qint64 toMs = 0;                  ///< its end; what was last seen while it is open
    std::optional<qint64> leaseEndMs; ///< when an open one ends by itself
    bool immortal = false;            ///< no lease: it never ends by itself
    int renewals = 0;
    bool open = false;     ///< still held: the bar reaches now
    bool fromKnown = true; ///< false: it was held already when this console first looked
};

/// Who held which lock, when: a lane per lock, a bar per owner, what is left of the lease hatched
/// beyond now, an arrow where it has no end. Pans, zooms and follows like TimeChart; up and down
/// choose a lane.
class LockTimeline final : public QWidget
{
    Q_OBJECT
public:
    explicit LockTimeline(QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// Lanes appear in the order in which they are first named.
    void setIntervals(std::vector<HoldInterval> intervals);
    void setNow(qint64 serverNowMs);
    void setSpan(qint64 spanMs);
    void follow();
    bool following() const { return m_view.following(); }
    qint64 fromMs() const { return m_view.fromMs(); }
    qint64 toMs() const { return m_view.toMs(); }

    QStringList lanes() const { return m_lanes; }
    /// The bar under a point; null where there is none. Valid until the next setIntervals().
    const HoldInterval* intervalAt(const QPoint& position) const;
    QString csv() const;

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
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRect plotRect() const;
    int laneHeight() const;
    int namesWidth() const;
    QRectF barRect(const HoldInterval& interval, int lane) const;
    qreal xOf(qint64 tMs) const;
    qint64 endOf(const HoldInterval& interval) const;
    void moved();
    void redraw();
    void paintLanes(QPainter& painter) const;
    void paintBar(QPainter& painter, const HoldInterval& interval, int lane) const;
    void paintFuture(QPainter& painter, const HoldInterval& interval, const QRectF& bar) const;
    void paintAxis(QPainter& painter) const;
    QString intervalText(const HoldInterval& interval) const;
    QString description() const;

    TimeView m_view;
    QString m_title;
    std::vector<HoldInterval> m_intervals;
    std::vector<int> m_laneOf; ///< per interval
    QStringList m_lanes;
    ChartHeader* m_header = nullptr;
    RedrawGate* m_gate = nullptr;
    int m_current = 0; ///< the lane that the keyboard is on
    std::optional<int> m_dragX;
};

} // namespace lk
