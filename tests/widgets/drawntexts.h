// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAccessible>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QTextEdit>
#include <QWidget>

namespace lk::test {

/// A device that keeps the texts that are drawn on it, and nothing else.
class TextRecorder final : public QPaintDevice
{
public:
    explicit TextRecorder(const QSize& size)
        : m_size(size)
    {}
    QPaintEngine* paintEngine() const override { return &m_engine; }
    QStringList texts() const { return m_engine.texts; }

protected:
    int metric(PaintDeviceMetric metric) const override
    {
        switch (metric) {
        case PdmWidth:
            return m_size.width();
        case PdmHeight:
            return m_size.height();
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return int(devicePixelRatioFScale());
        case PdmDepth:
            return 32;
        case PdmNumColors:
            return 0;
        default:
            return 96; // dots per inch
        }
    }

private:
    struct Engine final : QPaintEngine
    {
        Engine()
            : QPaintEngine(AllFeatures)
        {}
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState&) override {}
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
        void drawPath(const QPainterPath&) override {}
        void drawTextItem(const QPointF&, const QTextItem& item) override { texts << item.text(); }
        Type type() const override { return User; }
        QStringList texts;
    };
    mutable Engine m_engine;
    QSize m_size;
};

/// The texts that a widget and its children paint, as the user sees them now.
inline QStringList drawnTexts(QWidget& widget)
{
    TextRecorder recorder(widget.size());
    QPainter painter(&recorder);
    widget.render(&painter);
    painter.end();
    return recorder.texts();
}

/// All that the cells of a model have to say: seen, spoken, and in tips.
inline void addCellTexts(const QAbstractItemModel& model, QStringList& all)
{
    for (int row = 0; row < model.rowCount(); ++row) {
        for (int column = 0; column < model.columnCount(); ++column) {
            for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole,
                                   Qt::AccessibleDescriptionRole, Qt::StatusTipRole, Qt::EditRole})
                all << model.index(row, column).data(role).toString();
        }
    }
}

/// Every text of a widget and all in it, hidden ones too: titles, labels, fields, tips, what a
/// screen reader is told, the cells of tables and lists, and what is painted.
inline QStringList allTexts(QWidget& root)
{
    QStringList all = drawnTexts(root);
    QWidgetList widgets = root.findChildren<QWidget*>();
    widgets.prepend(&root);
    for (QWidget* widget : widgets) {
        all << widget->windowTitle() << widget->toolTip() << widget->statusTip()
            << widget->whatsThis() << widget->accessibleName() << widget->accessibleDescription();
        if (auto* label = qobject_cast<QLabel*>(widget))
            all << label->text();
        if (auto* button = qobject_cast<QAbstractButton*>(widget))
            all << button->text();
        if (auto* line = qobject_cast<QLineEdit*>(widget))
            all << line->text() << line->placeholderText();
        if (auto* text = qobject_cast<QTextEdit*>(widget))
            all << text->toPlainText();
        if (auto* view = qobject_cast<QAbstractItemView*>(widget); view && view->model())
            addCellTexts(*view->model(), all);
        for (const QAction* action : widget->actions())
            all << action->text() << action->toolTip() << action->statusTip();
        if (const QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(widget)) {
            for (const QAccessible::Text kind : {QAccessible::Name, QAccessible::Description,
                                                 QAccessible::Value, QAccessible::Help})
                all << spoken->text(kind);
        }
    }
    return all;
}

} // namespace lk::test
