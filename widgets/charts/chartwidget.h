// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace lk {

class ChartHeader;
class TimeAxis;

/// What a chart is of, as far as a person may see it: a token's name is masked before it comes
/// here.
struct ChartSubject
{
    QString key;    ///< empty: not of one primitive
    QString server; ///< its name and endpoint, without a password
};

/// What all charts have: a menu by right click or Shift+F10, and pictures and tables that say what
/// they are of. Takes the keyboard's focus and shows it.
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
    /// "api-rate Used orders-eu 2026-01-31 102030 UTC+0100": what a file of it is called at first.
    QString fileStem() const;
    /// What stands below a picture.
    QString caption() const;

protected:
    explicit ChartWidget(QWidget* parent);

    /// The stretch of server time in milliseconds that is shown; both alike: a moment.
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
