// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/timemark.h"
#include "widgets/charts/timeview.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace lk {

/// The whole recording as one line: ticks for events, hatched spans where nothing was recorded, and
/// a handle at the moment that is shown. The handle is at the right end while that is now. Server
/// time in milliseconds.
///
/// Click and drag choose a moment, the wheel pans, Ctrl+wheel zooms. Left and right go a step, with
/// Shift a second, with Ctrl to the next event. Page keys go a sixth of the shown span, Home to the
/// beginning of the recording, End back to live. Space plays or pauses, + and - zoom.
class TimeStrip final : public QWidget
{
    Q_OBJECT

public:
    explicit TimeStrip(QWidget* parent = nullptr);

    /// Sets the first recorded moment and the present.
    void setRecorded(qint64 firstMs, qint64 nowMs);
    /// Empty: live.
    void setMoment(std::optional<qint64> momentMs);
    void setMarks(std::vector<TimeMark> marks);

    const TimeView& view() const { return m_view; }
    std::optional<qint64> moment() const { return m_momentMs; }
    const std::vector<TimeMark>& marks() const { return m_marks; }
    /// Conversions between moments and places in the widget.
    qreal xOf(qint64 tMs) const;
    qint64 timeAt(qreal x) const;
    const TimeMark* markAt(const QPoint& place) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void momentWanted(qint64 tMs);
    void liveWanted();
    void eventWanted(bool next);
    void playWanted();
    void rangeChanged(); ///< marks of another span are wanted

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRect track() const;
    void want(qint64 tMs);
    void step(qint64 byMs);
    void zoom(double factor, double anchor);
    void showMoment();
    void describe();
    void paintTrack(QPainter& painter) const;
    void paintTimes(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintHandle(QPainter& painter) const;

    TimeView m_view;
    qint64 m_firstMs = 0;
    std::optional<qint64> m_momentMs;
    std::vector<TimeMark> m_marks; ///< by time
    std::optional<int> m_hoverX;
    bool m_dragging = false;
    bool m_chosen = false; ///< the user has panned or zoomed it
};

} // namespace lk
