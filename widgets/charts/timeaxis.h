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
    /// What was recorded of what is shown is on its way: that nothing is there is not known yet.
    void setLoading(bool loading);
    bool isLoading() const { return m_loading; }
    /// Now is a moment in the past, and what followed it can be looked at until endMs. 0: it is
    /// not.
    void setPast(qint64 endMs);
    bool isPast() const { return m_view.isPast(); }
    /// The oldest moment of which anything is known: where Home goes. 0: none.
    void setFirst(qint64 firstMs) { m_firstMs = firstMs; }

    void setSpan(qint64 spanMs);
    void follow();
    void hold(); ///< stands still where it is
    void pan(double share);
    /// Keeps following if it does, where no place is given to keep.
    void zoom(double factor, std::optional<double> anchor = {});

    /// Where the crosshair stands in all charts; empty: nowhere.
    void setCursor(std::optional<qint64> tMs);
    std::optional<qint64> cursor() const { return m_cursorMs; }

    /// What happened, as flags in all charts.
    void setMarks(std::vector<TimeMark> marks);
    const std::vector<TimeMark>& marks() const { return m_marks; }

    /// All charts show besides what was so long before. 0: nothing.
    void setCompare(qint64 beforeMs);
    qint64 compare() const { return m_compareMs; }
    /// Something older than what is shown is known at all.
    void setComparable(bool can) { m_comparable = can; }
    bool canCompare() const { return m_comparable; }

    /// A moment is to be shown everywhere: momentChosen().
    void choose(qint64 tMs);
    /// By the mouse: at once, unless it may be the first of the two clicks that lead from a stretch
    /// that stands still back to live.
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

/// What charts compare with, and what it is called: "one day earlier".
inline constexpr qint64 compareSpans[] = {24 * 3600 * 1000ll, 7 * 24 * 3600 * 1000ll};
QString compareTitle(qint64 beforeMs);

} // namespace lk
