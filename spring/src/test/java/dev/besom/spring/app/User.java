package dev.besom.spring.app;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** A row of the table. */
@Entity
@Table(name = "users")
public class User {

    @Id
    @GeneratedValue
    private @Nullable Long id;

    @Column(nullable = false, unique = true)
    private String email = "";

    private boolean active = true;

    /** For Hibernate. */
    protected User() {}

    public User(String email) {
        this.email = email;
    }

    public @Nullable Long getId() {
        return id;
    }

    public String getEmail() {
        return email;
    }

    public void setEmail(String email) {
        this.email = email;
    }

    public boolean isActive() {
        return active;
    }

    public void setActive(boolean active) {
        this.active = active;
    }
}
