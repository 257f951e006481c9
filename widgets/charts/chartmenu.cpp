// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/charts/chartmenu.h"

#include "widgets/charts/timeaxis.h"
#include "widgets/saving/saveas.h"
#include "widgets/theme/icon.h"

#include <QActionGroup>
#include <QBuffer>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>

namespace lk {

namespace {

struct ChartMenuText
{
    Q_DECLARE_TR_FUNCTIONS(lk::ChartMenu)
};

QByteArray png(const QImage& image)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

void addSpans(QMenu* menu, QWidget* chart, const ChartMenu& offer)
{
    auto* spans = new QActionGroup(menu);
    for (const qint64 span : chartSpans()) {
        QAction* action = menu->addAction(ChartMenuText::tr("Last %1").arg(spanTitle(span)));
        action->setCheckable(true);
        action->setChecked(span == offer.spanMs);
        spans->addAction(action);
        QObject::connect(action, &QAction::triggered, chart,
                         [set = offer.setSpan, span] { set(span); });
    }
    menu->addSeparator();
}

void addCompare(QMenu* menu, QWidget* chart, const ChartMenu& offer)
{
    for (const qint64 before : compareSpans) {
        QAction* action =
            menu->addAction(ChartMenuText::tr("Compare with %1").arg(compareTitle(before)));
        action->setCheckable(true);
        action->setChecked(before == offer.compareMs);
        QObject::connect(action, &QAction::triggered, chart,
                         [set = offer.setCompare, before](bool on) { set(on ? before : 0); });
    }
    menu->addSeparator();
}

} // namespace

void ChartMenu::popup(QWidget* chart, const QPoint& globalPosition) const
{
    auto* menu = new QMenu(chart);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (setSpan)
        addSpans(menu, chart, *this);
    if (follow) {
        QAction* action = menu->addAction(icon(QStringLiteral("to-end"), chart->palette()),
                                          ChartMenuText::tr("Back to live"));
        action->setEnabled(!following);
        QObject::connect(action, &QAction::triggered, chart, follow);
        menu->addSeparator();
    }
    if (setCompare)
        addCompare(menu, chart, *this);
    QAction* shot = menu->addAction(icon(QStringLiteral("copy"), chart->palette()),
                                    ChartMenuText::tr("Copy picture"));
    QObject::connect(shot, &QAction::triggered, chart,
                     [get = picture] { QGuiApplication::clipboard()->setImage(get()); });
    if (csv) {
        QAction* copy = menu->addAction(icon(QStringLiteral("copy"), chart->palette()),
                                        ChartMenuText::tr("Copy values as CSV"));
        QObject::connect(copy, &QAction::triggered, chart,
                         [get = csv] { QGuiApplication::clipboard()->setText(get()); });
        QAction* table = menu->addAction(icon(QStringLiteral("export"), chart->palette()),
                                         ChartMenuText::tr("Save values as CSV\u2026"));
        QObject::connect(table, &QAction::triggered, chart, [chart, get = csv, stem = fileStem] {
            askToSaveCsv(chart, ChartMenuText::tr("Save values"), stem(),
                         [get] { return [text = get()] { return text; }; });
        });
    }
    QAction* image = menu->addAction(ChartMenuText::tr("Save picture as PNG\u2026"));
    QObject::connect(image, &QAction::triggered, chart, [chart, get = picture, stem = fileStem] {
        askToSave(chart, {ChartMenuText::tr("Save picture"), stem() + QStringLiteral(".png"),
                          ChartMenuText::tr("Pictures (*.png)"),
                          [get] { return [shown = get()] { return png(shown); }; }});
    });
    menu->popup(globalPosition);
}

} // namespace lk
