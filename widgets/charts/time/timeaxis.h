// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/charts/time/timeview.h"

#include <QObject>

#include <optional>

class QKeyEvent;
class QWheelEvent;

namespace lk {

/// The stretch of time that the charts of a pane show together: one zoom, one crosshair, one now.
/// GUI thread; owned by its parent. Server time in milliseconds.
class TimeAxis final : public QObject
{
    Q_OBJECT

public:
    /// futureShare: see TimeView.
    TimeAxis(qint64 spanMs, double futureShare, QObject* parent);

    const TimeView& view() const { return m_view; }
    void setNow(qint64 serverNowMs);
    /// False: nothing is read at present, so that even what follows now is not live.
    void setReading(bool reading);
    bool isReading() const { return m_reading; }
    /// The oldest moment of which anything is known: where Home goes. 0: none.
    void setFirst(qint64 firstMs) { m_firstMs = firstMs; }

    void setSpan(qint64 spanMs);
    void follow();
    void pan(double share);
    /// Keeps following if it does, where no place is given to keep.
    void zoom(double factor, std::optional<double> anchor = {});

    /// Where the crosshair stands in all charts; empty: nowhere.
    void setCursor(std::optional<qint64> tMs);
    std::optional<qint64> cursor() const { return m_cursorMs; }

    /// True if the key was for it: left and right pan, + and - zoom, Home goes to the first moment,
    /// End back to live.
    bool press(const QKeyEvent& event);
    /// True if the turn was for it: with Ctrl it zooms about the anchor (0 left to 1 right), with
    /// Shift it pans. The bare wheel belongs to the page.
    bool wheel(const QWheelEvent& event, double anchor);

signals:
    void rangeChanged(qint64 fromMs, qint64 toMs, bool following);
    void nowChanged();
    void cursorChanged();

private:
    void moved();

    TimeView m_view;
    std::optional<qint64> m_cursorMs;
    qint64 m_firstMs = 0;
    bool m_reading = true;
};

} // namespace lk
