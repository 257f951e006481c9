// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/accessiblerole.h"

#include <QAbstractButton>
#include <QAccessibleWidget>
#include <QVariant>

namespace lk {

namespace {

constexpr auto property = "accessibleRole";

class Choice final : public QAccessibleWidget
{
public:
    Choice(QAbstractButton* button, QAccessible::Role role)
        : QAccessibleWidget(button, role)
        , m_button(button)
    {}

    QAccessible::State state() const override
    {
        QAccessible::State state = QAccessibleWidget::state();
        const bool tab = role() == QAccessible::PageTab;
        state.selectable = tab;
        state.selected = tab && m_button->isChecked();
        state.checkable = !tab;
        state.checked = !tab && m_button->isChecked();
        return state;
    }
    QStringList actionNames() const override
    {
        return QStringList{pressAction()} + QAccessibleWidget::actionNames();
    }
    void doAction(const QString& name) override
    {
        if (name == pressAction())
            m_button->click();
        else
            QAccessibleWidget::doAction(name);
    }

private:
    QAbstractButton* m_button;
};

// Asked for an object's class and all its bases: the first answer counts.
QAccessibleInterface* interfaceOf(const QString&, QObject* object)
{
    const QVariant role = object->property(property);
    if (!role.isValid() || !object->isWidgetType())
        return nullptr;
    const auto is = QAccessible::Role(role.toInt());
    if (auto* button = qobject_cast<QAbstractButton*>(object))
        return new Choice(button, is);
    return new QAccessibleWidget(static_cast<QWidget*>(object), is);
}

} // namespace

void setAccessibleRole(QWidget* widget, QAccessible::Role role)
{
    QAccessible::installFactory(interfaceOf); // known already: nothing happens
    widget->setProperty(property, int(role));
    // It may have been asked for already, as what it was until now.
    if (QAccessibleInterface* known = QAccessible::queryAccessibleInterface(widget))
        QAccessible::deleteAccessibleInterface(QAccessible::uniqueId(known));
}

} // namespace lk
