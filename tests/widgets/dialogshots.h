// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QTest>

namespace lk::test {

/// The theme of all tests of a program; made with the first use.
inline Theme& theme()
{
    static Theme theme(*qApp);
    return theme;
}

/// Where the variable LOCKKEEPER_SHOTS names a folder: the widget as <name>-light.png and
/// <name>-dark.png. Shows the widget either way.
inline void shoot(QWidget& widget, const QString& name)
{
    widget.show();
    const QString folder = qEnvironmentVariable("LOCKKEEPER_SHOTS");
    for (const ThemeChoice choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
        theme().choose(choice);
        QCoreApplication::sendPostedEvents();
        if (folder.isEmpty())
            continue;
        const QString file = name + (choice == ThemeChoice::Dark ? QStringLiteral("-dark.png")
                                                                 : QStringLiteral("-light.png"));
        QVERIFY(widget.grab().save(QDir(folder).filePath(file)));
    }
}

/// The texts of visible labels and buttons that do not have the room they ask for.
inline QStringList clippedTexts(const QWidget& widget)
{
    QStringList clipped;
    for (const QLabel* label : widget.findChildren<QLabel*>()) {
        const int height =
            label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().height();
        if (label->isVisible() && !label->text().isEmpty() &&
            (label->height() < height ||
             (!label->wordWrap() && label->width() < label->sizeHint().width())))
            clipped << label->text();
    }
    for (const QAbstractButton* button : widget.findChildren<QAbstractButton*>()) {
        if (button->isVisible() && !button->text().isEmpty() &&
            button->width() < button->minimumSizeHint().width())
            clipped << button->text();
    }
    return clipped;
}

} // namespace lk::test
