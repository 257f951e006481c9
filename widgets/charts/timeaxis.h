// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/history/timemark.h"
#include "widgets/charts/timeview.h"

#include <QObject>
#include <QTimer>

#include <optional>
#include <vector>

class QKeyEvent;
class QWheelEvent;

namespace lk {

/// The span of time that the charts of a pane show together: one zoom, one crosshair, one now. GUI
/// thread; owned by its parent. Server time in milliseconds.
class TimeAxis final : public QObject
{
    Q_OBJECT

public:
    /// futureShare: see TimeView.
    TimeAxis(qint64 spanMs, double futureShare, QObject* parent);

    const TimeView& view() const { return m_view; }
    void setNow(qint64 serverNowMs);
    /// False: nothing is read at present, so that even a chart that follows now is not live.
    void setReading(bool reading);
    bool isReading() const { return m_reading; }
    /// The recording of the shown span is being loaded, so that a gap is not final yet.
    void setLoading(bool loading);
    bool isLoading() const { return m_loading; }
    /// Sets the present, endMs, if now is a moment in the past. 0: now is the present.
    void setPast(qint64 endMs);
    bool isPast() const { return m_view.isPast(); }
    /// Sets the oldest known moment, to which Home goes. 0: none.
    void setFirst(qint64 firstMs) { m_firstMs = firstMs; }

    void setSpan(qint64 spanMs);
    void follow();
    void hold(); ///< stops following, without moving
    void pan(double share);
    /// Without an anchor, keeps following if it does.
    void zoom(double factor, std::optional<double> anchor = {});

    /// Sets the crosshair's moment in all charts. Empty: no crosshair.
    void setCursor(std::optional<qint64> tMs);
    std::optional<qint64> cursor() const { return m_cursorMs; }

    /// Sets the events to show as flags in all charts.
    void setMarks(std::vector<TimeMark> marks);
    const std::vector<TimeMark>& marks() const { return m_marks; }

    /// Makes all charts also show the values from so long before. 0: no comparison.
    void setCompare(qint64 beforeMs);
    qint64 compare() const { return m_compareMs; }
    /// Set if anything older than the shown span is known.
    void setComparable(bool can) { m_comparable = can; }
    bool canCompare() const { return m_comparable; }

    /// Emits momentChosen(): all boards show that moment.
    void choose(qint64 tMs);
    /// A click of the mouse. Chooses the moment at once, unless the click may be the first of a
    /// double click that leads from a span that stands still back to live.
    void click(qint64 tMs);

    /// True if the key was for it: left and right pan, with Shift they move the crosshair, whose
    /// moment Return chooses; + and - zoom, Home goes to the first moment, End back to live, C
    /// compares with the day before, the week before, nothing.
    bool press(const QKeyEvent& event);
    /// True if the turn was for it: with Ctrl it zooms about the anchor (0 left to 1 right), with
    /// Shift it pans. The bare wheel belongs to the page.
    bool wheel(const QWheelEvent& event, double anchor);

signals:
    void rangeChanged(qint64 fromMs, qint64 toMs, bool following);
    void nowChanged();
    void cursorChanged();
    void marksChanged();
    void compareChanged();
    void momentChosen(qint64 tMs);

private:
    void moved();
    void moveCursor(double share);

    TimeView m_view;
    QTimer m_click; ///< until it is no double click
    qint64 m_clickedMs = 0;
    std::vector<TimeMark> m_marks;
    qint64 m_compareMs = 0;
    std::optional<qint64> m_cursorMs;
    qint64 m_firstMs = 0;
    bool m_reading = true;
    bool m_loading = false;
    bool m_comparable = false;
};

/// The spans that charts can compare with, and their titles: "one day earlier".
inline constexpr qint64 compareSpans[] = {24 * 3600 * 1000ll, 7 * 24 * 3600 * 1000ll};
QString compareTitle(qint64 beforeMs);

} // namespace lk
