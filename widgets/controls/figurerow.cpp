// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/figurerow.h"

#include "widgets/theme/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace lk {

namespace {

constexpr int wideGap = 24; // pixels between figures
constexpr int narrowGap = 8;
constexpr int labelSlack = 2; // what a label takes beside its text
// What gives way, one after the other: the first figure's size, all sizes, captions on one line.
constexpr int bodyStep = 2;
constexpr int lastStep = 3;

QFont valueFont(int step, bool first)
{
    return uiFont(step == 0 && first ? TextSize::Figure
                  : step < bodyStep  ? TextSize::Title
                                     : TextSize::Body);
}

// In the last step a caption of several words stands on two lines; the others leave the second one
// empty, so that all numbers stand on one line.
QString captionText(const QString& caption, int step)
{
    if (step < lastStep)
        return caption;
    const qsizetype space = caption.lastIndexOf(QLatin1Char(' '));
    QString text = caption;
    if (space > 0)
        text[space] = QLatin1Char('\n');
    else
        text += QLatin1Char('\n');
    return text;
}

int widthOf(const QFontMetrics& metrics, const QString& lines)
{
    int width = 0;
    for (const QString& line : lines.split(QLatin1Char('\n')))
        width = std::max(width, metrics.horizontalAdvance(line));
    return width;
}

} // namespace

FigureRow::FigureRow(const QStringList& captions, QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); // room that is left is below it
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(wideGap);
    for (const QString& caption : captions) {
        const bool large = m_figures.empty();
        auto* column = new QVBoxLayout;
        column->setSpacing(0);
        auto* value = new QLabel(QStringLiteral("\u2013"));
        value->setTextFormat(Qt::PlainText); // what a server holds is never markup
        value->setFont(valueFont(0, large));
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        value->setFocusPolicy(Qt::NoFocus);
        auto* label = new QLabel(caption);
        label->setFont(uiFont(TextSize::Caption));
        label->setForegroundRole(QPalette::PlaceholderText);
        column->addStretch(1);
        column->addWidget(value);
        column->addWidget(label);
        row->addLayout(column);
        m_figures.push_back({value, label, caption, ColorRole::Text});
    }
    row->addStretch(1);
    m_shown = int(m_figures.size());
}

int FigureRow::gaps() const
{
    return std::max(1, m_shown) - 1;
}

// What the figures take without gaps, in fonts of that step.
int FigureRow::wanted(int step) const
{
    int sum = 0;
    for (int i = 0; i < m_shown; ++i) {
        const Figure& figure = m_figures[size_t(i)];
        const QFontMetrics value(valueFont(step, &figure == &m_figures.front()));
        sum += std::max(value.horizontalAdvance(figure.value->text()),
                        widthOf(figure.caption->fontMetrics(), captionText(figure.title, step)))
               + labelSlack;
    }
    return sum;
}

QSize FigureRow::minimumSizeHint() const
{
    return {wanted(lastStep) + gaps() * narrowGap, layout()->minimumSize().height()};
}

void FigureRow::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fit();
}

// Figures move closer together, and then become smaller, before anything is cut off.
void FigureRow::fit()
{
    int step = 0;
    while (step < lastStep && wanted(step) + gaps() * narrowGap > width())
        ++step;
    if (step != m_step) {
        m_step = step;
        for (const Figure& figure : m_figures) {
            figure.value->setFont(valueFont(step, &figure == &m_figures.front()));
            figure.caption->setText(captionText(figure.title, step));
        }
    }
    layout()->setSpacing(
        std::clamp((width() - wanted(step)) / std::max(1, gaps()), narrowGap, wideGap));
}

void FigureRow::setFigure(int index, const QString& value, ColorRole color)
{
    Figure& figure = m_figures[size_t(index)];
    figure.value->setText(value);
    figure.value->setAccessibleName(QStringLiteral("%1: %2").arg(figure.title, value));
    if (figure.color != color) {
        figure.color = color;
        paintFigure(index);
    }
    fit();
}

void FigureRow::setCaption(int index, const QString& caption)
{
    Figure& figure = m_figures[size_t(index)];
    figure.title = caption;
    figure.caption->setText(captionText(caption, m_step));
    fit();
}

void FigureRow::setShown(int count)
{
    if (count == m_shown)
        return;
    m_shown = count;
    for (int i = 0; i < int(m_figures.size()); ++i) {
        m_figures[size_t(i)].value->setVisible(i < count);
        m_figures[size_t(i)].caption->setVisible(i < count);
    }
    fit();
}

QString FigureRow::figure(int index) const
{
    return m_figures[size_t(index)].value->text();
}

void FigureRow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) {
        for (int i = 0; i < int(m_figures.size()); ++i)
            paintFigure(i);
    }
    QWidget::changeEvent(event);
}

void FigureRow::paintFigure(int index)
{
    const Figure& figure = m_figures[size_t(index)];
    QPalette colored;
    // Which of the two a label draws with depends on the ground it stands on.
    const QColor color = themeColors(palette()).of(figure.color);
    colored.setColor(QPalette::WindowText, color);
    colored.setColor(QPalette::Text, color);
    figure.value->setPalette(figure.color == ColorRole::Text ? QPalette() : colored);
}

} // namespace lk
