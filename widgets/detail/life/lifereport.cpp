// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/life/lifereport.h"

#include "widgets/theme/theme.h"
#include "widgets/theme/themecolors.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace lk {

namespace {

constexpr int width = 900;
constexpr int pad = 24;
constexpr int gap = 12;
constexpr int scale = 2; // pixels for one
constexpr int wrap = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;

struct Row
{
    QString when;
    QString what;
    int height = 0;
};

QSize sizeOf(const QImage& image)
{
    return image.isNull() ? QSize() : image.size() / image.devicePixelRatio();
}

} // namespace

QImage drawReport(const LifeReport& report, const QPalette& palette)
{
    const ThemeColors& colors = themeColors(palette);
    const QFont titleFont = uiFont(TextSize::Title);
    const QFont body = uiFont(TextSize::Body);
    const QFont caption = uiFont(TextSize::Caption);
    const QFontMetrics bodyMetrics(body);
    const int inner = width - 2 * pad;
    const size_t shown = std::min(report.life.size(), size_t(mostReportLines));
    std::vector<Row> rows;
    int whenWidth = 0;
    for (size_t i = 0; i < shown; ++i) {
        rows.push_back({lifeTimeText(report.life[i], true), report.life[i].text, 0});
        whenWidth = std::max(whenWidth, bodyMetrics.horizontalAdvance(rows.back().when));
    }
    const int whatLeft = pad + whenWidth + 2 * gap;
    const int whatWidth = std::max(200, width - pad - whatLeft);
    int rowsHeight = 0;
    for (Row& row : rows) {
        row.height =
            bodyMetrics.boundingRect(QRect(0, 0, whatWidth, 10'000), wrap, row.what).height() + 6;
        rowsHeight += row.height;
    }
    const QRect titleRoom(0, 0, inner, 10'000);
    const int titleHeight = QFontMetrics(titleFont)
                                .boundingRect(titleRoom, wrap | Qt::TextWrapAnywhere, report.title)
                                .height();
    const int captionHeight =
        QFontMetrics(caption).boundingRect(titleRoom, wrap, report.caption).height();
    QSize chart = sizeOf(report.chart);
    if (chart.width() > inner)
        chart.scale(inner, chart.height(), Qt::KeepAspectRatio);
    const int more = report.life.size() > shown ? bodyMetrics.height() + gap : 0;
    const int height = pad + titleHeight + 4 + captionHeight + gap +
                       (chart.isEmpty() ? 0 : chart.height() + gap) + rowsHeight + more + pad;

    QImage image(QSize(width, height) * scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(colors.surface);
    QPainter painter(&image);
    int y = pad;
    painter.setFont(titleFont);
    painter.setPen(colors.text);
    painter.drawText(QRect(pad, y, inner, titleHeight), wrap | Qt::TextWrapAnywhere, report.title);
    y += titleHeight + 4;
    painter.setFont(caption);
    painter.setPen(colors.second);
    painter.drawText(QRect(pad, y, inner, captionHeight), wrap, report.caption);
    y += captionHeight + gap;
    if (!chart.isEmpty()) {
        painter.drawImage(QRect(QPoint(pad, y), chart), report.chart);
        y += chart.height() + gap;
    }
    painter.setFont(body);
    for (const Row& row : rows) {
        painter.setPen(colors.second);
        painter.drawText(QRect(pad, y, whenWidth + gap, row.height), Qt::AlignLeft | Qt::AlignTop,
                         row.when);
        painter.setPen(colors.text);
        painter.drawText(QRect(whatLeft, y, whatWidth, row.height), wrap, row.what);
        y += row.height;
    }
    if (more > 0) {
        painter.setPen(colors.second);
        painter.drawText(QRect(pad, y, inner, more), Qt::AlignLeft | Qt::AlignVCenter,
                         QCoreApplication::translate("lk::LifeDialog", "and %Ln more", nullptr,
                                                     int(report.life.size() - shown)));
    }
    return image;
}

} // namespace lk
