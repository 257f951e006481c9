// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace lk {

class ChartHeader;
class TimeAxis;

/// The subject of a chart, as far as the user may see it: the name of a token is already masked.
struct ChartSubject
{
    QString key;    ///< empty: not of one primitive
    QString server; ///< its name and endpoint, without a password
};

/// Base of all charts: a menu by right click or Shift+F10, and pictures and tables that name their
/// subject. Takes the keyboard focus and shows it.
class ChartWidget : public QWidget
{
    Q_OBJECT

public:
    void setSubject(const ChartSubject& subject) { m_subject = subject; }
    /// It shows all primitives of a kind: files are not named after the selected one.
    void setOfAll(bool ofAll) { m_ofAll = ofAll; }

    virtual QString csv() const = 0;
    /// At twice the size in pixels; below it stands what it is of: key, server, date, time zone.
    QImage picture();
    /// Returns the proposed file name: "api-rate Used orders-eu 2026-01-31 102030 UTC+0100".
    QString fileStem() const;
    /// Returns the text below a picture.
    QString caption() const;

protected:
    explicit ChartWidget(QWidget* parent);

    /// The span of server time that is shown, in milliseconds. Both ends are equal for a single
    /// moment.
    struct Shown
    {
        qint64 fromMs = 0;
        qint64 toMs = 0;
    };
    virtual Shown shown() const = 0;
    virtual QString chartTitle() const = 0;
    /// Null where there is none, or where it is not time.
    virtual TimeAxis* timeAxis() const { return nullptr; }
    virtual QImage draw(); ///< at twice the size in pixels

    /// To be drawn last; nothing in a picture.
    void paintFocusFrame(QPainter& painter) const;

    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void openMenu(const QPoint& globalPosition);

    ChartSubject m_subject;
    bool m_ofAll = false;
    bool m_drawing = false; ///< a picture
};

} // namespace lk
